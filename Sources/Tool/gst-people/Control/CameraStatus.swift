import CommandKit

/// A camera that other programs control.
protocol ControlledCamera: AnyObject {
    var status: CameraStatus { get }

    /// Shows the background only; when the call returns, readers get no other frames.
    func cover() throws(ToolError)
    func uncover()
    func usePreset(_ name: String) throws(ToolError)
    func set(_ property: String, to value: String) throws(ToolError)
}

/// The state of an offered camera, as other programs see it.
struct CameraStatus: Equatable {
    enum State: String {
        /// The real camera is closed, since no program reads.
        case closed
        /// A program reads, and gets covered frames.
        case opening
        case open
    }

    var state = State.closed
    var isCovered = false
    /// The name of the preset; empty for none.
    var preset = ""
    /// The reason why no frames come, as a sentence; empty while they come.
    var problem = ""
}
