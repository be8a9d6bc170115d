/// The content of a composited frame: the background, its effects, and the treatment of the subject's edge.
package struct Composition {
    /// The background behind the subject.
    package var source: BackgroundSource
    /// The effects on the background, one after the other; the usual order is blur, highlight, shadow, halo.
    package var effects: [BackgroundEffect]
    /// Whether the colour of the old background is removed from the subject's soft edge.
    package var decontaminate: Bool
    /// Strength of the background's light on the subject's edge, 0...1.
    package var lightWrap: Double
    /// Whether the mask's subject is the background.
    package var invert: Bool

    /// Creates a composition; only a source is needed.
    package init(
        source: BackgroundSource, effects: [BackgroundEffect] = [], decontaminate: Bool = false,
        lightWrap: Double = 0, invert: Bool = false
    ) {
        self.source = source
        self.effects = effects
        self.decontaminate = decontaminate
        self.lightWrap = lightWrap
        self.invert = invert
    }

    /// Whether every frame stays unchanged: its own background, and no visible effect.
    package var isIdentity: Bool {
        guard case .original = source else { return false }
        return !effects.contains(where: \.isVisible)
    }
}

/// The background behind the subject.
package enum BackgroundSource {
    /// The frame's own background.
    case original
    /// A picture of the frame's format and size, borrowed for the call.
    ///
    /// Results computed from a still picture, such as its blur, are kept while `revision` stays the same:
    /// pictures with other samples need another number. It is nil where the picture changes from frame to
    /// frame.
    case picture(ImageView, revision: UInt64? = nil)
    /// A plain colour; alpha becomes opaque.
    case color(RGBColor)
    /// No background: the format must have alpha, which becomes the frame's alpha times the mask.
    ///
    /// A frame's own alpha is assumed to be of the same kind, straight or premultiplied.
    case transparent(premultiplied: Bool)
}

/// Reasons for which a frame could not be composited.
package enum CompositingError: Error, Equatable, CustomStringConvertible {
    /// The background picture differs from the frame in format or size.
    case pictureMismatch(
        frame: PixelFormat, frameWidth: Int, frameHeight: Int, picture: PixelFormat, pictureWidth: Int,
        pictureHeight: Int)
    /// A transparent background was asked for in a format without alpha.
    case noAlpha(PixelFormat)

    /// A description of the failure, as a sentence.
    package var description: String {
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
