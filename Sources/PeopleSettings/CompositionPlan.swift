package import Imaging

extension BlendSettings {
    /// Minimum radius of the blur of a small frame, in pixels, if the room must be hidden.
    private static let minimumPixels = 2.0

    /// All effects, from the lowest layer to the uppermost.
    ///
    /// Effects that are off keep their places, so that the others keep their memory.
    fileprivate var layers: [BackgroundEffect] {
        [
            .blur(
                Blur(
                    radius: blur / 100 * Backdrop.strongestBlur,
                    minimumPixels: hidesRoom && resolvedSource == .original ? Self.minimumPixels : 0)),
            .highlight(Highlight(exposure: exposure, desaturation: desaturation)),
            .shadow(
                Shadow(
                    opacity: shadowOpacity, x: shadowX / 100, y: shadowY / 100, radius: shadowRadius / 100)),
            .halo(Halo(color: RGBColor(argb: haloColor), width: haloWidth / 100)),
        ]
    }
}

/// The compositor's input, converted from the settings once and not per frame.
package struct CompositionPlan {
    private var settings: BlendSettings?
    private var composition = Composition(source: .original)

    /// Whether frames stay as they are.
    package private(set) var isIdentity = false

    package init() {}

    /// Converts `settings`; does nothing if they are the same as before.
    package mutating func follow(_ settings: BlendSettings) {
        guard settings != self.settings else { return }
        self.settings = settings
        composition = Composition(
            source: .original, effects: settings.layers, lightWrap: settings.lightWrap,
            invert: settings.inverts)
        isIdentity =
            settings.shown == .result && settings.resolvedSource == .original && composition.isIdentity
    }

    /// Returns the composition with `source` as the background.
    ///
    /// - Parameter isMatte: whether the mask has the fine, soft edges of a matte.
    package func composition(_ source: BackgroundSource, isMatte: Bool) -> Composition {
        var composition = composition
        composition.source = source
        switch settings?.decontamination {
        case .on: composition.decontaminate = true
        case .auto:
            // In front of the original background, the background's colour in an edge is the right one.
            if case .original = source { break }
            composition.decontaminate = isMatte
        case .off, nil: break
        }
        return composition
    }
}

extension RGBColor {
    /// Creates a colour from 0xAARRGGBB.
    package init(argb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: argb >> 16), green: UInt8(truncatingIfNeeded: argb >> 8),
            blue: UInt8(truncatingIfNeeded: argb))
    }
}
