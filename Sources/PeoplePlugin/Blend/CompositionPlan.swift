import Imaging

/// What the settings ask of the compositor, converted once and not per frame.
struct CompositionPlan {
    private var settings: BlendSettings?
    private var composition = Composition(source: .original)

    /// True when frames are to stay as they are.
    private(set) var isIdentity = false

    /// Follows `settings`; does nothing while they stay the same.
    mutating func follow(_ settings: BlendSettings) {
        guard settings != self.settings else { return }
        self.settings = settings
        composition = Composition(
            source: .original, effects: settings.visibleEffects, decontaminate: settings.decontaminates,
            lightWrap: settings.lightWrap, invert: settings.inverts)
        isIdentity =
            settings.shown == .result && settings.resolvedSource == .original && composition.isIdentity
    }

    /// The composition in front of `source`.
    func composition(_ source: BackgroundSource) -> Composition {
        var composition = composition
        composition.source = source
        return composition
    }
}

extension BlendSettings {
    /// Standard deviation of the blur at 100, in frame heights.
    private static let strongestBlur = 0.1

    /// The effects that are on; those that are off would cost time.
    fileprivate var visibleEffects: [BackgroundEffect] {
        var effects: [BackgroundEffect] = []
        if blur > 0 { effects.append(.blur(Blur(radius: blur / 100 * Self.strongestBlur))) }
        if exposure != 0 || desaturation > 0 {
            effects.append(.highlight(Highlight(exposure: exposure, desaturation: desaturation)))
        }
        if shadowOpacity > 0 {
            let (x, y, radius) = (shadowX / 100, shadowY / 100, shadowRadius / 100)
            effects.append(.shadow(Shadow(opacity: shadowOpacity, x: x, y: y, radius: radius)))
        }
        if haloWidth > 0 {
            effects.append(.halo(Halo(color: RGBColor(argb: haloColor), width: haloWidth / 100)))
        }
        return effects
    }
}

extension RGBColor {
    /// A colour written as 0xAARRGGBB.
    init(argb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: argb >> 16), green: UInt8(truncatingIfNeeded: argb >> 8),
            blue: UInt8(truncatingIfNeeded: argb))
    }
}
