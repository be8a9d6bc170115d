/// What is seen where the mask says background.
public enum Background {
    /// A plain colour; alpha becomes opaque.
    case color(RGBColor)
    /// A picture of the frame's format and size, borrowed for the call.
    case picture(ImageView)
    /// The frame itself, out of focus, without the subject's colours.
    ///
    /// `radius` is the standard deviation of the (nearly) Gaussian blur as a fraction of the frame's
    /// height; 0.02 is soft, 0.1 strong. It is limited to 0...`Background.maximumBlurRadius`.
    case blur(radius: Double)

    /// The strongest blur, in frame heights.
    public static let maximumBlurRadius = 0.5
}

/// Why a frame could not be composited.
public enum CompositingError: Error, Equatable, CustomStringConvertible {
    /// The background picture differs from the frame in format or size.
    case pictureMismatch(
        frame: PixelFormat, frameWidth: Int, frameHeight: Int, picture: PixelFormat, pictureWidth: Int,
        pictureHeight: Int)

    /// What failed, in a sentence.
    public var description: String {
        switch self {
        case .pictureMismatch(let frame, let width, let height, let picture, let otherWidth, let otherHeight):
            """
            the background is \(picture.rawValue) \(otherWidth)x\(otherHeight), \
            the frame \(frame.rawValue) \(width)x\(height): convert the background to the frame's format and size
            """
        }
    }
}
