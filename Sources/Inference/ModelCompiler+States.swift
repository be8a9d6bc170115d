extension ModelCompiler {
    /// A state of one value is spread over whatever size the model computes with: its size is known after one step,
    /// and confirmed by the next.
    private static let mostSteps = 3

    /// Gives the image the wanted size, and each state that of the output which it is taken from.
    ///
    /// - Throws: `unsupportedModel` where inputs are not those described, or where sizes depend on more than these.
    func fitStates(of model: OpenVINO.Model) throws(InferenceError) {
        try checkInputs(of: model)
        var shapes = try shapes(ofStates: info.states.map(\.input), smallest: 1) {
            name throws(OpenVINOFailure) in try model.input(named: name)
        }
        for _ in 0..<Self.mostSteps {
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

    /// The compiled states; each output must have the size of its input.
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

    /// The sizes of tensors, with `smallest` where they are free.
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
