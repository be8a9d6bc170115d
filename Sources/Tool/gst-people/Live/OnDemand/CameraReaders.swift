import CommandKit

/// The programs that read a virtual camera.
protocol CameraReaders: AnyObject {
    /// A file descriptor that becomes readable when there is something new; nil where there is none, so that
    /// `isRead` has to be called several times a second.
    var descriptor: Int32? { get }

    /// Returns whether any program reads the camera, without waiting.
    func isRead() throws(ToolError) -> Bool
}
