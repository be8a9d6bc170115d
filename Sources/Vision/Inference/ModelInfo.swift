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
