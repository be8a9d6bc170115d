/// What a composited frame shows: the background, what is done to it, and how the subject's edge is treated.
public struct Composition {
    /// What the subject stands in front of.
    public var source: BackgroundSource
    /// What is done to the background, one after the other; usual is blur, highlight, shadow, halo.
    public var effects: [BackgroundEffect]
    /// Whether the colour of the old background is taken out of the subject's soft edge.
    public var decontaminate: Bool
    /// How much of the background's light spills over the subject's edge, 0...1.
    public var lightWrap: Double
    /// Whether the mask's subject is the background.
    public var invert: Bool

    /// A composition; only a source is needed.
    public init(
        source: BackgroundSource, effects: [BackgroundEffect] = [], decontaminate: Bool = false,
        lightWrap: Double = 0, invert: Bool = false
    ) {
        self.source = source
        self.effects = effects
        self.decontaminate = decontaminate
        self.lightWrap = lightWrap
        self.invert = invert
    }

    /// True when every frame would stay as it is: its own background, and no effect that shows.
    public var isIdentity: Bool {
        guard case .original = source else { return false }
        return !effects.contains(where: \.isVisible)
    }
}

/// What the subject stands in front of.
public enum BackgroundSource {
    /// The frame's own background.
    case original
    /// A picture of the frame's format and size, borrowed for the call.
    ///
    /// What is made of a still picture, such as its blur, is kept while `revision` stays the same: pictures
    /// with other samples need another number. It is nil where the picture changes from frame to frame.
    case picture(ImageView, revision: UInt64? = nil)
    /// A plain colour; alpha becomes opaque.
    case color(RGBColor)
    /// Nothing: the format must have alpha, which becomes what the frame had times the mask.
    ///
    /// A frame's own alpha is taken to be of the same kind, straight or premultiplied.
    case transparent(premultiplied: Bool)
}

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
