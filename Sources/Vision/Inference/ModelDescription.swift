import Glibc
import JSON

/// Reads a ``ModelInfo`` from the `.json` beside a model and checks the files that it names.
struct ModelDescription {
    static let maximumBytes = 1 << 20

    private let path: String
    private let json: JSON

    /// Reads a description.
    ///
    /// - Parameter path: The `.json` file.
    init(path: String) throws(InferenceError) {
        guard let bytes = ModelFiles.read(path, limit: Self.maximumBytes) else {
            throw .unreadable(path, errno)
        }
        do {
            json = try JSON(parsing: bytes)
        } catch {
            throw .modelCorrupt(path: path, why: "it is not JSON: \(error)")
        }
        self.path = path
    }

    /// Returns the described model after checking its files for presence and size.
    ///
    /// - Parameter file: The model file, when it was named by the user and not by the description.
    func info(file: String? = nil) throws(InferenceError) -> ModelInfo {
        let model = if let file { file } else { try neighbour("file") }
        let weights = json["weights"] == nil ? nil : try neighbour("weights")
        var digests: [String: String] = [:]
        for file in [model, weights].compactMap({ $0 }) { digests[file] = try checkedDigest(of: file) }
        let outputs = try outputs()
        return ModelInfo(
            name: json["name"]?.string ?? ModelFiles.stem(of: path), path: model, weights: weights,
            input: try input(), outputs: outputs, states: try states(besides: outputs), digests: digests,
            facts: json)
    }

    private func wrong(_ what: String) -> InferenceError {
        .modelCorrupt(path: path, why: what)
    }
}

// MARK: - Files

extension ModelDescription {
    /// Returns a file in the directory of the description, never one elsewhere.
    private func neighbour(_ key: String) throws(InferenceError) -> String {
        guard let name = json[key]?.string, !name.isEmpty, !name.contains("/"), !name.utf8.contains(0) else {
            throw wrong("\"\(key)\" must be the name of a file beside it")
        }
        return ModelFiles.directory(of: path) + "/" + name
    }

    /// Returns the SHA-256 that the description states for a file, after checking presence and size; nil if
    /// it states none.
    private func checkedDigest(of file: String) throws(InferenceError) -> String? {
        guard let size = ModelFiles.fileSize(file) else {
            throw .modelCorrupt(path: file, why: "the file is missing")
        }
        let entries = json["files"]?.array ?? []
        let entry = entries.first { $0["name"]?.string == ModelFiles.name(of: file) }
        if let expected = entry?["bytes"]?.integer, size != expected {
            throw .modelCorrupt(path: file, why: "it has \(size) bytes instead of \(expected)")
        }
        guard let digest = entry?["sha256"] else { return nil }
        guard let text = digest.string?.lowercased(), text.utf8.count == 64,
            text.allSatisfy(\.isHexDigit)
        else { throw wrong("a \"sha256\" must be 64 hexadecimal digits") }
        return text
    }
}

// MARK: - Tensors

extension ModelDescription {
    private func input() throws(InferenceError) -> ModelInfo.Input {
        guard let input = json["input"] else { throw wrong("\"input\" is missing") }
        let layout = input["layout"]?.string.flatMap(ModelInfo.Layout.init)
        guard layout != nil || input["layout"] == nil else {
            throw wrong("\"layout\" must be \"NHWC\" or \"NCHW\"")
        }
        let shape = try shape(input)
        guard layout == nil || shape.count == 4 else { throw wrong("an image input has 4 dimensions") }
        return ModelInfo.Input(
            name: input["name"]?.string ?? "", shape: shape, layout: layout,
            range: layout == nil ? 0...1 : try range(input), multiple: try multiple())
    }

    private func multiple() throws(InferenceError) -> Int {
        guard let multiple = json["size"]?["multiple"] else { return 1 }
        guard let multiple = multiple.integer, (1...1024).contains(multiple) else {
            throw wrong("the \"multiple\" of the size must be a whole number from 1 to 1024")
        }
        return multiple
    }

    private func range(_ input: JSON) throws(InferenceError) -> ClosedRange<Float> {
        guard let ends = input["range"]?.numbers, ends.count == 2, ends[0] < ends[1], abs(ends[0]) < 1e6,
            abs(ends[1]) < 1e6
        else { throw wrong("\"range\" must be two ascending numbers") }
        return Float(ends[0])...Float(ends[1])
    }

    private func outputs() throws(InferenceError) -> [ModelInfo.Output] {
        guard let list = json["outputs"]?.array, (1...16).contains(list.count) else {
            throw wrong("\"outputs\" must list 1 to 16 tensors")
        }
        var outputs: [ModelInfo.Output] = []
        for output in list {
            outputs.append(
                ModelInfo.Output(name: output["name"]?.string ?? "", shape: try shape(output)))
        }
        return outputs
    }

    private func states(besides outputs: [ModelInfo.Output]) throws(InferenceError) -> [ModelInfo.State] {
        guard let entry = json["states"] else { return [] }
        guard let list = entry.array, list.count <= 64 else {
            throw wrong("\"states\" must list up to 64 pairs of tensors")
        }
        var states: [ModelInfo.State] = []
        for state in list {
            guard let input = state["input"]?.string, let output = state["output"]?.string, !input.isEmpty,
                !output.isEmpty
            else { throw wrong("each of \"states\" must name an \"input\" and an \"output\"") }
            guard !outputs.contains(where: { $0.name == output }) else {
                throw wrong("'\(output)' must be one of \"outputs\" or of \"states\", not of both")
            }
            states.append(ModelInfo.State(input: input, output: output))
        }
        guard states.isEmpty || json["input"]?["name"]?.string?.isEmpty == false else {
            throw wrong("\"input\" must have a \"name\", to be told from the states")
        }
        return states
    }

    /// Returns a shape; 0 stands for a free dimension.
    private func shape(_ tensor: JSON) throws(InferenceError) -> [Int] {
        guard let numbers = tensor["shape"]?.numbers, (1...8).contains(numbers.count) else {
            throw wrong("a \"shape\" must list 1 to 8 dimensions")
        }
        let shape = numbers.compactMap { Int(exactly: $0) }
        guard shape.count == numbers.count, shape.allSatisfy({ $0 >= 0 }),
            product(of: shape.map { max($0, 1) }) != nil
        else { throw wrong("the dimensions of a \"shape\" must be whole numbers, 0 where free") }
        return shape
    }
}
