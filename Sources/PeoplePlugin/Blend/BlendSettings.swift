import GStreamerKit
import Imaging

/// The properties of `blendmask`.
struct BlendSettings: ElementSettings, Equatable {
    var source = BackgroundChoice.auto
    var background: String?
    var fit = PictureFit.cover
    var isMirrored = false
    var color: UInt32 = 0xff00_0000
    var poseAngle = PoseAngleChoice.all
    var premultiplies = false

    var blur = 0.0
    var exposure = 0.0
    var desaturation = 0.0
    var shadowOpacity = 0.0
    var shadowX = 1.0
    var shadowY = 1.0
    var shadowRadius = 2.0
    var haloWidth = 0.0
    var haloColor: UInt32 = 0xffff_ffff

    var decontamination = DecontaminationChoice.auto
    var lightWrap = 0.0
    var inverts = false
    var shown = ShownChoice.result

    var instances: String?
    var instancesAt: String? { didSet { clicks &+= 1 } }
    var instancesExcept: String?
    var selectsByClick = false
    /// How often a point was asked for.
    private(set) var clicks: UInt = 0

    var noMask = NoMaskPolicy.cover
    var maximumAge: Int64 = -1
    var keepMask = false

    static var properties: [Property<BlendSettings>] { sources + effects + edges + people + policies }

    private static var sources: [Property<BlendSettings>] {
        [
            .choice(
                "background-source",
                "What the people stand in front of; auto follows from the other properties: the picture or clip, the frame's "
                    + "own background if it is to be blurred, exposed or desaturated, or else the colour",
                \.source),
            .string(
                "background", "Path or URI of the picture or clip that becomes the background", \.background),
            .choice("background-fit", "How the picture or clip fills the frame", \.fit),
            .bool("mirror", "Exchange left and right of the picture or clip", \.isMirrored),
            .color(
                "background-color",
                "Colour of the background, around a picture, and over frames that must be covered",
                \.color),
            .choice(
                "pose-angle", "With background-source=pose: which angles the colour shows (Since: 0.2.0)",
                \.poseAngle),
            .bool(
                "premultiply", "With a transparent background: multiply the colours by alpha", \.premultiplies
            ),
        ]
    }

    private static var effects: [Property<BlendSettings>] {
        [
            .double("blur", "Blur of the background, in percent of the strongest", in: 0...100, \.blur),
            .double("exposure", "Exposure of the background, in stops", in: -10...10, \.exposure),
            .double("desaturate", "How much colour the background loses", in: 0...1, \.desaturation),
            .double(
                "shadow-opacity", "Opacity of the people's shadow; 0 is none", in: 0...1, \.shadowOpacity),
            .double(
                "shadow-x", "Shift of the shadow to the right, in percent of the frame's height",
                in: -100...100, \.shadowX),
            .double(
                "shadow-y", "Shift of the shadow downwards, in percent of the frame's height",
                in: -100...100, \.shadowY),
            .double(
                "shadow-radius", "Softness of the shadow, in percent of the frame's height", in: 0...50,
                \.shadowRadius),
            .double(
                "halo-width", "Width of the outline around the people, in percent of the frame's height",
                in: 0...20, \.haloWidth),
            .color("halo-color", "Colour of the outline", \.haloColor),
        ]
    }

    private static var edges: [Property<BlendSettings>] {
        [
            .choice(
                "decontaminate", "Take the old background's colour out of soft edges, such as hair",
                \.decontamination),
            .double(
                "light-wrap", "How much of the background's light falls on the people's edges", in: 0...1,
                \.lightWrap),
            .bool("invert", "Replace the people and keep the background", \.inverts),
            .choice("show", "What comes out: the composited picture or the mask", \.shown),
        ]
    }

    private static var people: [Property<BlendSettings>] {
        [
            .string(
                "instances",
                "Ids of the only people who are shown, such as 1,3; personsegment instances=true tells them (Since: 0.2.0)",
                \.instances),
            .string(
                "instances-at",
                "A point in shares of the frame's sides, such as 0.4,0.5: only the person there is shown, and followed; on the background everybody is (Since: 0.2.0)",
                \.instancesAt),
            .string(
                "instances-except", "Ids of people who are not shown, such as 2 (Since: 0.2.0)",
                \.instancesExcept),
            .bool(
                "select-by-click",
                "A click into the window that shows the pictures sets instances-at (Since: 0.2.0)",
                \.selectsByClick),
        ]
    }

    private static var policies: [Property<BlendSettings>] {
        [
            .choice("no-mask", "What to do with a frame that has no usable mask", \.noMask),
            .int64(
                "max-mask-age",
                "Oldest usable mask in nanoseconds; -1 for twice the interval at which masks are made",
                in: -1...Int64.max, \.maximumAge),
            .bool(
                "keep-mask",
                "Leave the mask, and what tells of people who are hidden, on the frame for elements downstream",
                \.keepMask),
        ]
    }
}

extension BlendSettings {
    /// Where the picture is; an empty text, which is all that a pipeline description can say for none, means none.
    var location: String? {
        guard resolvedSource == .picture || resolvedSource == .clip else { return nil }
        return background.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The background's source once `auto` is resolved.
    ///
    /// Only effects that do nothing to a plain colour bring the frame's own background into view: with a
    /// shadow or a halo a room that was to be hidden must stay hidden.
    var resolvedSource: BackgroundChoice {
        guard source == .auto else { return source }
        if background?.isEmpty == false { return .picture }
        return blur > 0 || exposure != 0 || desaturation > 0 ? .original : .color
    }

    /// Whether the output must have alpha.
    var needsAlpha: Bool { resolvedSource == .transparent && shown == .result }
}

extension BlendSettings {
    /// Standard deviation of the blur at 100, in frame heights.
    private static let strongestBlur = 0.1

    /// All effects, from the lowest layer to the uppermost; those that are off stay in their places, so that
    /// the others keep their memory.
    fileprivate var layers: [BackgroundEffect] {
        [
            .blur(Blur(radius: blur / 100 * Self.strongestBlur)),
            .highlight(Highlight(exposure: exposure, desaturation: desaturation)),
            .shadow(
                Shadow(
                    opacity: shadowOpacity, x: shadowX / 100, y: shadowY / 100, radius: shadowRadius / 100)),
            .halo(Halo(color: RGBColor(argb: haloColor), width: haloWidth / 100)),
        ]
    }
}

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
            source: .original, effects: settings.layers, lightWrap: settings.lightWrap,
            invert: settings.inverts)
        isIdentity =
            settings.shown == .result && settings.resolvedSource == .original && composition.isIdentity
    }

    /// The composition before `source`.
    ///
    /// - Parameter isMatte: whether the mask has the fine, soft edges of a matte.
    func composition(_ source: BackgroundSource, isMatte: Bool) -> Composition {
        var composition = composition
        composition.source = source
        switch settings?.decontamination {
        case .on: composition.decontaminate = true
        case .auto:
            // Before its own background, the old background's colour in an edge is the right one.
            if case .original = source { break }
            composition.decontaminate = isMatte
        case .off, nil: break
        }
        return composition
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
