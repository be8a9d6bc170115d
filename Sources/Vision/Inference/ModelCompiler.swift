/// Reads a model, checks it against its description, and compiles it.
struct ModelCompiler {
    let core: OpenVINO.Core
    let info: ModelInfo
    let inputShape: [Int]
    let options: ComputeOptions

    func compile(cacheDirectory: String?) throws(InferenceError) -> CompiledModel {
        let compiled = try exported(in: cacheDirectory)
        let input = try translating(unsupported) { () throws(OpenVINOFailure) in try self.input(of: compiled)
        }
        return CompiledModel(
            info: info, inputShape: inputShape, options: options, library: core.library, compiled: compiled,
            input: input, outputs: try outputs(of: compiled), states: try states(of: compiled))
    }

    /// Returns the model as it was exported after its first compilation, in a quarter of the time.
    ///
    /// Without an export it is compiled from its files, whose hashes are then checked.
    private func exported(in cacheDirectory: String?) throws(InferenceError) -> OpenVINO.CompiledModel {
        let files = ExportedModels(of: info, options, runtime: core.library.path, in: cacheDirectory)
        if let compiled = files?.load(inputShape, core), fits(compiled) { return compiled }
        try info.checkFiles()
        let model = try read()
        guard let files else { return try compile(model, DeviceCache(of: info, in: cacheDirectory)) }
        let compiled = try compile(model)
        files.save(compiled, inputShape)
        return compiled
    }

    private func fits(_ compiled: OpenVINO.CompiledModel) -> Bool {
        guard let input = try? input(of: compiled) else { return false }
        return input.isFloat && input.shape == inputShape.map(Optional.some)
    }

    private func input(of compiled: OpenVINO.CompiledModel) throws(OpenVINOFailure) -> OpenVINO.Port {
        info.states.isEmpty ? try compiled.input() : try compiled.input(named: info.input.name)
    }

    private func read() throws(InferenceError) -> OpenVINO.Model {
        let model = try translating(corrupt) { () throws(OpenVINOFailure) in
            try core.readModel(path: info.path, weights: info.weights)
        }
        if info.states.isEmpty { try fitInput(of: model) } else { try fitStates(of: model) }
        return model
    }

    func corrupt(_ why: String) -> InferenceError {
        .modelCorrupt(path: info.path, why: why)
    }

    func unsupported(_ why: String) -> InferenceError {
        .unsupportedModel(path: info.path, why: why)
    }
}

// MARK: - Input

extension ModelCompiler {
    /// Checks the model's input and sets the wanted size, because a fixed size runs faster.
    private func fitInput(of model: OpenVINO.Model) throws(InferenceError) {
        let count = try translating(corrupt) { () throws(OpenVINOFailure) in
            try model.inputCount()
        }
        guard count == 1 else { throw unsupported("it has \(count) inputs instead of 1") }
        let port = try translating(corrupt) { () throws(OpenVINOFailure) in
            try model.input()
        }
        guard port.isFloat else { throw unsupported("its input does not take 32-bit floats") }
        let fits = admits(port.shape, inputShape)
        guard fits || isFreeSize else {
            throw unsupported("its input is \(text(port.shape)), expected \(text(inputShape))")
        }
        if !fits || port.shape.contains(nil) || port.shape.isEmpty {
            try translating(unsupported) { () throws(OpenVINOFailure) in
                try model.reshape(to: inputShape)
            }
        }
    }

    private var isFreeSize: Bool { info.input.shape.contains(0) }
}

extension ModelInfo {
    /// The times at which the files were written.
    var stamp: String? {
        let times = [path, weights].compactMap { $0 }.map(ModelFiles.modificationTime)
        return times.contains(nil) ? nil : times.map { "\($0 ?? 0)" }.joined(separator: "-")
    }
}

// MARK: - Outputs

extension ModelCompiler {
    private func outputs(
        of compiled: OpenVINO.CompiledModel
    ) throws(InferenceError) -> [CompiledModel.Output] {
        let count = try translating(unsupported) { () throws(OpenVINOFailure) in
            try compiled.outputCount()
        }
        guard info.outputs.count <= count else {
            throw unsupported("it has \(count) outputs, expected \(info.outputs.count)")
        }
        var outputs: [CompiledModel.Output] = []
        for (index, expected) in info.outputs.enumerated() {
            let port = try translating(unsupported) { () throws(OpenVINOFailure) in
                expected.name.isEmpty
                    ? try compiled.output(at: index)
                    : try compiled.output(named: expected.name)
            }
            outputs.append(try output(expected, port))
        }
        return outputs
    }

    private func output(
        _ expected: ModelInfo.Output, _ port: OpenVINO.Port
    ) throws(InferenceError) -> CompiledModel.Output {
        let declared = expected.shape.map { $0 == 0 ? nil : $0 }
        let shape = port.shape.compactMap { $0 }
        guard port.isFloat, shape.count == port.shape.count, !shape.isEmpty, admits(declared, shape)
        else {
            throw unsupported(
                "its output '\(expected.name)' is \(text(port.shape)) of "
                    + "\(port.isFloat ? "floats" : "another type"), expected \(text(declared)) of floats")
        }
        return CompiledModel.Output(shape: shape, port: port)
    }
}

// MARK: - Compiling

extension ModelCompiler {
    /// Compiles with a cache if possible; a cache that cannot be used must not keep the model from running.
    private func compile(
        _ model: OpenVINO.Model, _ cache: DeviceCache?
    ) throws(InferenceError) -> OpenVINO.CompiledModel {
        // The processor's models are kept in this library's own files, if at all.
        guard options.device != "CPU", let cache else { return try compile(model) }
        cache.removeDamaged()
        defer { cache.sealNew() }
        let properties = options.properties + [("CACHE_DIR", cache.directory)]
        let compiled = FileSizeLimit.failing {
            try? core.compile(model, device: options.device, properties: properties)
        }
        return if let compiled { compiled } else { try compile(model) }
    }

    private func compile(_ model: OpenVINO.Model) throws(InferenceError) -> OpenVINO.CompiledModel {
        try translating(compileError) { () throws(OpenVINOFailure) in
            try core.compile(model, device: options.device, properties: options.properties)
        }
    }

    private func compileError(_ why: String) -> InferenceError {
        let available = core.availableDevices()
        return available.contains { isDevice($0, named: options.device) }
            ? .compileFailed(path: info.path, device: options.device, why: why)
            : .deviceUnavailable(name: options.device, available: available)
    }

    /// Whether a device has a name; `GPU` means `GPU.0`, and `AUTO` or `HETERO:GPU,CPU` choose among the
    /// available devices.
    private func isDevice(_ available: String, named name: String) -> Bool {
        name == available || available.hasPrefix(name + ".") || name == available + ".0"
            || name.contains(":") || ["AUTO", "MULTI", "HETERO", "BATCH"].contains(name)
    }
}

// MARK: - Shapes and errors

/// Whether a tensor of `shape` fits `declared`, where `nil` stands for any size; empty allows any rank.
func admits(_ declared: [Int?], _ shape: [Int]) -> Bool {
    declared.isEmpty
        || declared.count == shape.count && zip(declared, shape).allSatisfy { $0 == nil || $0 == $1 }
}

func text(_ shape: [Int?]) -> String {
    "[" + shape.map { $0.map { String($0) } ?? "?" }.joined(separator: ", ") + "]"
}

/// Returns the number of elements, or `nil` if it is not plausible for a tensor in memory.
func product(of shape: [Int]) -> Int? {
    var product = 1
    for dimension in shape {
        let (result, overflow) = product.multipliedReportingOverflow(by: dimension)
        guard !overflow, (1...1 << 28).contains(result) else { return nil }
        product = result
    }
    return product
}

func translating<Result>(
    _ error: (String) -> InferenceError, _ call: () throws(OpenVINOFailure) -> Result
) throws(InferenceError) -> Result {
    do {
        return try call()
    } catch let failure {
        throw error(failure.message)
    }
}

extension ModelCompiler {
    /// Maximum number of steps to find the sizes of states.
    ///
    /// A state of one value is spread over the size that the model computes with: its size is known after one
    /// step, and confirmed by the next.
    private static let maximumSteps = 3

    /// Sets the image to the wanted size, and each state to the size of its output.
    ///
    /// - Throws: `unsupportedModel` if inputs differ from the described ones, or if sizes depend on more than
    ///   these.
    func fitStates(of model: OpenVINO.Model) throws(InferenceError) {
        try checkInputs(of: model)
        var shapes = try shapes(ofStates: info.states.map(\.input), smallest: 1) {
            name throws(OpenVINOFailure) in try model.input(named: name)
        }
        for _ in 0..<Self.maximumSteps {
            let inputs = zip(info.states, shapes).map { (name: $0.input, shape: $1) }
            try translating(unsupported) { () throws(OpenVINOFailure) in
                try model.reshape([(info.input.name, inputShape)] + inputs)
            }
            let found = try self.shapes(ofStates: info.states.map(\.output), smallest: nil) {
                name throws(OpenVINOFailure) in try model.output(named: name)
            }
            if found == shapes { return }
            shapes = found
        }
        throw unsupported("its states do not keep their size from one run to the next")
    }

    /// Returns the compiled states; each output must have the size of its input.
    func states(of compiled: OpenVINO.CompiledModel) throws(InferenceError) -> [CompiledModel.State] {
        var states: [CompiledModel.State] = []
        for state in info.states {
            let (input, output) = try translating(unsupported) { () throws(OpenVINOFailure) in
                (try compiled.input(named: state.input), try compiled.output(named: state.output))
            }
            let shape = input.shape.compactMap { $0 }
            guard input.isFloat, output.isFloat, !shape.isEmpty, input.shape == shape.map(Optional.some),
                output.shape == input.shape
            else {
                throw unsupported(
                    "its state '\(state.input)' is \(text(input.shape)) and '\(state.output)' "
                        + "\(text(output.shape)), expected the same number of floats")
            }
            states.append(CompiledModel.State(shape: shape, input: input, output: output))
        }
        return states
    }

    private func checkInputs(of model: OpenVINO.Model) throws(InferenceError) {
        let count = try translating(corrupt) { () throws(OpenVINOFailure) in try model.inputCount() }
        guard count == 1 + info.states.count else {
            throw unsupported("it has \(count) inputs instead of an image and \(info.states.count) states")
        }
        let image = try translating(unsupported) { () throws(OpenVINOFailure) in
            try model.input(named: info.input.name)
        }
        guard image.isFloat, admits(image.shape, inputShape) else {
            throw unsupported(
                "its input '\(info.input.name)' is \(text(image.shape)), expected \(text(inputShape)) of floats"
            )
        }
    }

    /// Returns the sizes of tensors, with `smallest` for free dimensions.
    private func shapes(
        ofStates names: [String], smallest: Int?,
        _ port: (String) throws(OpenVINOFailure) -> OpenVINO.Port
    ) throws(InferenceError) -> [[Int]] {
        var shapes: [[Int]] = []
        for name in names {
            let found = try translating(unsupported) { () throws(OpenVINOFailure) in try port(name).shape }
            let shape = found.compactMap { $0 ?? smallest }
            guard !shape.isEmpty, shape.count == found.count else {
                throw unsupported(
                    "its state '\(name)' is \(text(found)): its size must follow from that of the image")
            }
            shapes.append(shape)
        }
        return shapes
    }
}
