import Glibc
package import JSON

/// The description of a model before it is loaded: its files, input and outputs.
///
/// ``ModelStore`` reads it from the `.json` beside the model.
package struct ModelInfo: Sendable, Hashable {
    /// The name under which the model is found, without a file ending.
    package let name: String
    /// The model file (`.xml`, `.onnx` or `.tflite`).
    package let path: String
    /// The file with the weights of an `.xml` model; `nil` when it has none or they lie beside it.
    package let weights: String?
    /// The input that a request fills.
    package let input: Input
    /// The outputs that a request provides, in this order.
    package let outputs: [Output]
    /// The states that one run passes to the next; empty for most models.
    package let states: [State]
    /// The SHA-256 that the description states for files, by their paths, in hexadecimal digits.
    let digests: [String: String]
    /// The whole description, for facts that belong to one kind of model, such as anchors.
    package let facts: JSON

    /// The input tensor of a model.
    package struct Input: Sendable, Hashable {
        /// Name of the tensor in the model.
        package let name: String
        /// The dimensions; 0 where the model takes any size.
        package let shape: [Int]
        /// Order of the dimensions of an image; `nil` when the input is not an image.
        package let layout: Layout?
        /// The values of black and white in the tensor; 0...1 when the input is not an image.
        package let range: ClosedRange<Float>
        /// The number of which a free width or height must be a multiple.
        package let multiple: Int
    }

    /// An output tensor of a model.
    package struct Output: Sendable, Hashable {
        /// Name of the tensor in the model; empty when only its place among the outputs is known.
        package let name: String
        /// The dimensions; 0 for a dimension that depends on the size of the input.
        package let shape: [Int]
    }

    /// An output of one run that is an input of the next; zero in the first run.
    package struct State: Sendable, Hashable {
        /// Name of the input's tensor in the model.
        package let input: String
        /// Name of the output's tensor in the model.
        package let output: String
    }

    /// Order of the dimensions of an image tensor.
    package enum Layout: String, Sendable {
        /// Batch, rows, columns, channels: the channels of a pixel side by side.
        case nhwc = "NHWC"
        /// Batch, channels, rows, columns: one plane per channel.
        case nchw = "NCHW"
    }
}

extension ModelInfo.Input {
    /// Width in pixels; 0 when free, `nil` when the input is not an image.
    package var width: Int? { layout.map { shape[$0.columns] } }

    /// Height in pixels; 0 when free, `nil` when the input is not an image.
    package var height: Int? { layout.map { shape[$0.rows] } }

    /// Returns the dimensions, with `width` and `height` in place of free ones.
    ///
    /// - Returns: `nil` when the model does not take this size, or a dimension stays free.
    func shape(width: Int?, height: Int?) -> [Int]? {
        var shape = shape
        if let layout {
            guard let width = resolved(shape[layout.columns], width),
                let height = resolved(shape[layout.rows], height)
            else { return nil }
            shape[layout.columns] = width
            shape[layout.rows] = height
        }
        return shape.contains(0) ? nil : shape
    }

    private func resolved(_ declared: Int, _ asked: Int?) -> Int? {
        guard declared == 0 else { return asked ?? declared == declared ? declared : nil }
        guard let asked, (1...ModelInfo.maximumSide).contains(asked) else { return nil }
        return asked % multiple == 0 ? asked : nil
    }
}

extension ModelInfo.Layout {
    var rows: Int { self == .nhwc ? 1 : 2 }
    var columns: Int { self == .nhwc ? 2 : 3 }
}

extension ModelInfo {
    /// Maximum side of an image; a larger side is treated as a mistake.
    static let maximumSide = 8192

    /// Returns a description with these inputs and outputs for another file, whose names of tensors are
    /// unknown.
    func applied(toFile file: String) -> ModelInfo {
        ModelInfo(
            name: ModelFiles.stem(of: file), path: file, weights: nil, input: input,
            outputs: outputs.map { Output(name: "", shape: $0.shape) }, states: states, digests: [:],
            facts: facts)
    }
}

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
