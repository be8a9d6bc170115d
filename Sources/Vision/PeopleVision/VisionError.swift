import Imaging
public import Inference

/// Reasons for which a request could not be performed; the description says what to do.
public enum VisionError: Error, Equatable, CustomStringConvertible {
    /// A model could not be found, loaded or run.
    case inference(InferenceError)
    /// The image could not be sampled into the model's input, for the given reason.
    case sampling(String)
    /// The model's output could not be made into a mask, for the given reason.
    case mask(String)
    /// There is no memory for a mask.
    case noMemory(MaskLayout)
    /// The request has no such revision.
    case unsupportedRevision(Int, supported: ClosedRange<Int>)
    /// The image could not be read; the reason is a sentence.
    case unreadableImage(String)
    /// Nothing that was asked for is visible in the image.
    case nothingVisible
    /// The task that made the call was cancelled.
    case cancelled
    /// The memory given for a mask is not of the size or format that the request makes.
    case maskMismatch(expected: MaskLayout, found: MaskLayout)

    /// A text that says which part failed and what to do about it.
    public var description: String {
        switch self {
        case .inference(let error): error.description
        case .sampling(let why): "The frame could not be sampled: \(why)."
        case .mask(let why): "The mask could not be made: \(why)."
        case .noMemory(let layout): "There is no memory for a mask of \(layout)."
        case .unsupportedRevision(let revision, let supported):
            "Revision \(revision) does not exist; choose one from \(supported.lowerBound) to \(supported.upperBound)."
        case .unreadableImage(let why): "\(why)."
        case .nothingVisible: "None of the instances is visible in the image."
        case .cancelled: "The analysis was cancelled."
        case .maskMismatch(let expected, let found):
            "The given mask has room for \(found), but the request makes \(expected)."
        }
    }
}

extension Mask {
    /// Returns a new mask of a layout, with the values that `write` writes.
    static func make(
        _ layout: MaskLayout, _ write: (MutableMaskView) throws(VisionError) -> Void
    ) throws(VisionError) -> Mask {
        let (format, width, height) = (layout.format, layout.width, layout.height)
        guard let mask = try Mask(format: format, width: width, height: height, write) else {
            throw .noMemory(layout)
        }
        return mask
    }
}
