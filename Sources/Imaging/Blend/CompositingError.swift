/// Why a frame could not be composited.
public enum CompositingError: Error, Equatable, CustomStringConvertible {
    /// The background picture differs from the frame in format or size.
    case pictureMismatch(
        frame: PixelFormat, frameWidth: Int, frameHeight: Int, picture: PixelFormat, pictureWidth: Int,
        pictureHeight: Int)
    /// A transparent background was asked for in a format without alpha.
    case noAlpha(PixelFormat)

    /// What failed, in a sentence.
    public var description: String {
        switch self {
        case .pictureMismatch(let frame, let width, let height, let picture, let otherWidth, let otherHeight):
            """
            the background is \(picture.rawValue) \(otherWidth)x\(otherHeight), \
            the frame \(frame.rawValue) \(width)x\(height): convert the background to the frame's format and size
            """
        case .noAlpha(let format):
            "\(format.rawValue) has no alpha: give transparent frames a format that has"
        }
    }
}
