/// What a composited frame shows: the background, what is done to it, and how the subject's edge is treated.
public struct Composition {
    /// What stands behind the subject.
    public var source: BackgroundSource
    /// What is done to the background, in the order blur, highlight, shadow, halo whatever the array's;
    /// of each kind the last one counts.
    public var effects: [BackgroundEffect]
    /// Whether the colour of the old background is taken out of the subject's soft edge.
    public var decontaminate: Bool
    /// How much of the background's light spills over the subject's rim, 0...1.
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

    /// The effects that count.
    var visibleEffects: VisibleEffects { VisibleEffects(effects) }
}

/// What stands behind the subject.
public enum BackgroundSource {
    /// The frame's own background.
    case original
    /// A picture of the frame's format and size, borrowed for the call.
    case picture(ImageView)
    /// A plain colour; alpha becomes opaque.
    case color(RGBColor)
    /// Nothing: the format must have alpha, which becomes what the frame had times the mask.
    ///
    /// A frame's own alpha is taken to be of the same kind, straight or premultiplied.
    case transparent(premultiplied: Bool)
}
