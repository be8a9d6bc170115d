import GStreamerKit
import Imaging
import Inference
import PeopleSettings
import PeopleVision

extension ElementError {
    /// Creates the message to the application when a request fails.
    init(
        _ error: VisionError, file: StaticString = #fileID, function: StaticString = #function,
        line: Int32 = #line
    ) {
        let code: Code =
            switch error {
            case .inference(let error): Self.code(error)
            case .unsupportedRevision: .librarySettings
            case .sampling, .maskMismatch, .mask, .noMemory, .unreadableImage, .nothingVisible, .cancelled:
                .streamFailed
            }
        self.init(code, error.description, file: file, function: function, line: line)
    }

    /// Creates the message to the application when a frame cannot be composited.
    init(
        _ error: CompositingError, file: StaticString = #fileID, function: StaticString = #function,
        line: Int32 = #line
    ) {
        self.init(
            .streamFailed, "Blending failed: \(error.description).", file: file, function: function,
            line: line)
    }

    /// Creates the message to the application when a property has a malformed text.
    init(
        _ error: MalformedProperty, file: StaticString = #fileID, function: StaticString = #function,
        line: Int32 = #line
    ) { self.init(.librarySettings, error.description, file: file, function: function, line: line) }

    private static func code(_ error: InferenceError) -> Code {
        switch error {
        case .runtimeNotFound, .modelNotFound, .unknownModel: .resourceNotFound
        case .modelCorrupt, .modelUnreadable: .resourceRead
        case .resourcesExhausted: .resourceFailed
        case .unsupportedModel, .deviceUnavailable: .resourceSettings
        case .runtimeUnusable, .compileFailed: .libraryInit
        case .inferenceFailed: .libraryFailed
        }
    }
}
