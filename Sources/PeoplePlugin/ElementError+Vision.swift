import GStreamerKit
import Imaging
import Inference
import PeopleVision

extension ElementError {
    /// What an application is told when a request fails.
    init(_ error: VisionError) {
        switch error {
        case .inference(let error): self.init(error)
        case .unsupportedRevision: self.init(.librarySettings, error.description)
        case .sampling, .maskMismatch, .mask: self.init(.streamFailed, error.description)
        }
    }

    /// What an application is told when a frame cannot be composited.
    init(_ error: CompositingError) { self.init(.streamFailed, "Blending failed: \(error.description).") }

    /// What an application is told when a model cannot be found, loaded or run.
    private init(_ error: InferenceError) {
        let code: Code =
            switch error {
            case .runtimeNotFound, .modelNotFound: .resourceNotFound
            case .modelCorrupt: .resourceRead
            case .unsupportedModel, .deviceUnavailable: .resourceSettings
            case .runtimeUnusable, .compileFailed: .libraryInit
            case .inferenceFailed: .libraryFailed
            }
        self.init(code, error.description)
    }
}
