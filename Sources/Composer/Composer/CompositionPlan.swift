package import Imaging
import PeopleSettings

extension BlendSettings {
    /// Minimum radius of the blur of a small frame, in pixels, if the room or heads must be hidden.
    fileprivate static let minimumPixels = 2.0

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
struct CompositionPlan {
    private var settings: BlendSettings?
    private var composition = Composition(source: .original)
    /// The composition that hides heads of up to a radius, in frame heights.
    private var heads: (radius: Double, composition: Composition)?

    /// Whether frames stay as they are.
    private(set) var isIdentity = false

    /// Converts `settings`; does nothing if they are the same as before.
    mutating func follow(_ settings: BlendSettings) {
        guard settings != self.settings else { return }
        self.settings = settings
        composition = Composition(
            source: .original, effects: settings.layers, lightWrap: settings.lightWrap,
            invert: settings.inverts)
        isIdentity =
            settings.shown == .result && settings.heads == .keep && settings.resolvedSource == .original
            && composition.isIdentity && PeopleLight.isIdle(settings)
        heads = nil
    }

    /// Returns the composition with `source` as the background.
    ///
    /// - Parameter isMatte: whether the mask has the fine, soft edges of a matte.
    func composition(_ source: BackgroundSource, isMatte: Bool) -> Composition {
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

// MARK: - Heads

extension CompositionPlan {
    /// Side of a square, in radii of a head: a face is three to four squares high.
    private static let squareSide = 1.0 / 3
    /// Standard deviation of the blur, in radii of a head: 0.2 faces, more than the 0.15 faces after which
    /// `Backdrop.minimumBlur` leaves no features.
    private static let blurRadius = 0.25
    /// The smallest radius that counts, in frame heights: smaller heads have few pixels.
    private static let smallestRadius = 0.02

    /// Returns the composition that hides the subject of a mask of heads; nil while heads are kept.
    ///
    /// It changes only where the radius changes by more than a half, because layers have tables of their own.
    ///
    /// - Parameter radius: radius of the largest head in frame heights.
    mutating func heads(radius: Double) -> Composition? {
        guard let settings, settings.heads != .keep else { return nil }
        let wanted = Self.step(above: radius)
        if heads?.radius != wanted { heads = (wanted, Self.composition(settings, radius: wanted)) }
        return heads?.composition
    }

    /// Returns the next radius of a series in which each is one and a half times the one before.
    private static func step(above radius: Double) -> Double {
        var step = smallestRadius
        while step < radius, step < 1 { step *= 1.5 }
        return step
    }

    private static func composition(_ settings: BlendSettings, radius: Double) -> Composition {
        switch settings.heads {
        case .cover, .keep:
            Composition(source: .color(RGBColor(argb: settings.color)), invert: true)
        case .blur:
            Composition(
                source: .original,
                effects: [
                    .blur(Blur(radius: blurRadius * radius, minimumPixels: BlendSettings.minimumPixels))
                ], invert: true)
        case .pixelate:
            Composition(
                source: .original, effects: [.pixelate(Pixelation(side: squareSide * radius))], invert: true)
        }
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
