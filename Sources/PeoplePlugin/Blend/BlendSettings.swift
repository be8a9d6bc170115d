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
    /// Number of times that `instances-at` was set.
    private(set) var clicks: UInt = 0

    var noMask = NoMaskPolicy.cover
    var maximumAge: Int64 = -1
    var keepMask = false
    var hidesRoom = false

    static var properties: [Property<BlendSettings>] { sources + effects + edges + people + policies }

    private static var sources: [Property<BlendSettings>] {
        [
            .choice(
                "background-source",
                "What replaces the background. auto takes the picture or clip of background if there is one, the original "
                    + "if blur, exposure or desaturate is set, and else background-color",
                \.source),
            .string(
                "background", "Path or URI of the background picture or clip", \.background),
            .choice("background-fit", "How the picture or clip is fitted into the frame", \.fit),
            .bool("mirror", "Mirrors the picture or clip horizontally", \.isMirrored),
            .color(
                "background-color",
                "Colour of the background, of the area around a fitted picture, and of frames that must be covered",
                \.color),
            .choice(
                "pose-angle", "With background-source=pose: which angles set the colour (Since: 0.2.0)",
                \.poseAngle),
            .bool(
                "premultiply", "With a transparent background: premultiplies the colours by alpha",
                \.premultiplies
            ),
        ]
    }

    private static var effects: [Property<BlendSettings>] {
        [
            .double("blur", "Strength of the background blur, in percent (0 = off)", in: 0...100, \.blur),
            .double(
                "exposure", "Exposure change of the background, in stops (0 = unchanged)", in: -10...10,
                \.exposure),
            .double(
                "desaturate", "Desaturation of the background (0 = unchanged, 1 = grey)", in: 0...1,
                \.desaturation),
            .double(
                "shadow-opacity", "Opacity of the people's shadow (0 = no shadow)", in: 0...1, \.shadowOpacity
            ),
            .double(
                "shadow-x", "Offset of the shadow to the right, in percent of the frame's height",
                in: -100...100, \.shadowX),
            .double(
                "shadow-y", "Offset of the shadow downwards, in percent of the frame's height",
                in: -100...100, \.shadowY),
            .double(
                "shadow-radius", "Blur radius of the shadow, in percent of the frame's height", in: 0...50,
                \.shadowRadius),
            .double(
                "halo-width",
                "Width of an outline around the people, in percent of the frame's height (0 = none)",
                in: 0...20, \.haloWidth),
            .color("halo-color", "Colour of the outline", \.haloColor),
        ]
    }

    private static var edges: [Property<BlendSettings>] {
        [
            .choice(
                "decontaminate", "Removes the original background's colour from soft edges such as hair",
                \.decontamination),
            .double(
                "light-wrap", "Amount of background light on the people's edges (0 = off)", in: 0...1,
                \.lightWrap),
            .bool("invert", "Replaces the people and keeps the background", \.inverts),
            .choice("show", "What the output shows", \.shown),
        ]
    }

    private static var people: [Property<BlendSettings>] {
        [
            .string(
                "instances",
                "Ids of the people to show, such as 1,3; nobody else is shown. Needs personsegment instances=true (Since: 0.2.0)",
                \.instances),
            .string(
                "instances-at",
                "Point as fractions of the frame's width and height, such as 0.4,0.5: only the person there is shown, and followed. A point on the background shows everybody (Since: 0.2.0)",
                \.instancesAt),
            .string(
                "instances-except", "Ids of people to hide, such as 2 (Since: 0.2.0)",
                \.instancesExcept),
            .bool(
                "select-by-click",
                "A mouse click in the video window sets instances-at (Since: 0.2.0)",
                \.selectsByClick),
        ]
    }

    private static var policies: [Property<BlendSettings>] {
        [
            .choice("no-mask", "What to do with a frame without a usable mask", \.noMask),
            .int64(
                "max-mask-age",
                "Maximum age of a usable mask, in nanoseconds (-1 = twice the interval between masks)",
                in: -1...Int64.max, \.maximumAge),
            .bool(
                "keep-mask",
                "Leaves the mask, and metadata about hidden people, on the frame for elements downstream",
                \.keepMask),
            .bool(
                "hide-room",
                "Never shows sharply what is behind the people: the original background is blurred by 30 or more, and invert, no-mask=pass, max-mask-age and background-source=transparent do nothing (Since: 0.2.0)",
                \.hidesRoom),
        ]
    }
}

extension BlendSettings {
    /// The location of the picture or clip; nil if there is none.
    ///
    /// An empty text means none, since a pipeline description cannot unset a text.
    var location: String? {
        guard resolvedSource == .picture || resolvedSource == .clip else { return nil }
        return background.flatMap { $0.isEmpty ? nil : $0 }
    }

    private var backdrop: Backdrop {
        var backdrop = Backdrop()
        (backdrop.source, backdrop.hasPicture) = (source, background?.isEmpty == false)
        (backdrop.blur, backdrop.exposure, backdrop.desaturation) = (blur, exposure, desaturation)
        backdrop.inverts = inverts
        return backdrop
    }

    /// The background's source once `auto` is resolved.
    var resolvedSource: BackgroundChoice { backdrop.resolved }

    /// The settings that are drawn: those that `hide-room` rules out are replaced.
    var drawn: BlendSettings {
        guard hidesRoom else { return self }
        let hidden = backdrop.hidingRoom
        var drawn = self
        (drawn.source, drawn.blur, drawn.inverts) = (hidden.source, hidden.blur, hidden.inverts)
        if noMask == .pass { drawn.noMask = .cover }
        // An older mask shows the former positions of the people.
        drawn.maximumAge = -1
        return drawn
    }

    /// Whether the output must have alpha.
    var needsAlpha: Bool { resolvedSource == .transparent && shown == .result }
}

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
struct CompositionPlan {
    private var settings: BlendSettings?
    private var composition = Composition(source: .original)

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
            settings.shown == .result && settings.resolvedSource == .original && composition.isIdentity
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

extension RGBColor {
    /// Creates a colour from 0xAARRGGBB.
    init(argb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: argb >> 16), green: UInt8(truncatingIfNeeded: argb >> 8),
            blue: UInt8(truncatingIfNeeded: argb))
    }
}

// The enumerations of blendmask's properties; the raw values are the nicks.

/// The kind of background behind the people.
typealias BackgroundChoice = Backdrop.Source

/// The angles of a head that set the colour of the source `pose`.
enum PoseAngleChoice: String, PropertyChoice {
    case all, roll, yaw, pitch

    static var typeName: String { "GstPeoplePoseAngle" }
    var blurb: String {
        let alone = "only: red if positive, blue if negative, white at 0"
        return switch self {
        case .all: "Roll sets red, pitch sets green, yaw sets blue"
        case .roll: "Roll \(alone)"
        case .yaw: "Yaw \(alone)"
        case .pitch: "Pitch \(alone)"
        }
    }
}

/// The cases in which the old background's colour is removed from soft edges.
///
/// The nicks are those of a boolean property, which this one was at first: `decontaminate=true`, `=false`, 1
/// and 0 keep their meaning.
enum DecontaminationChoice: String, PropertyChoice {
    case off = "false"
    case on = "true"
    case auto

    static var typeName: String { "GstPeopleDecontamination" }
    var blurb: String {
        switch self {
        case .off: "Never"
        case .on: "Always"
        case .auto: "If the mask is a matte (quality balanced or accurate) and the background is replaced"
        }
    }
}

/// The image that the element outputs.
enum ShownChoice: String, PropertyChoice {
    case result, mask

    static var typeName: String { "GstPeopleShown" }
    var blurb: String {
        switch self {
        case .result: "The composited image"
        case .mask: "The mask as an image: white is kept, black is replaced"
        }
    }
}

/// The treatment of a frame without a mask, or with one that is too old or malformed.
enum NoMaskPolicy: String, PropertyChoice {
    case cover, pass, error

    static var typeName: String { "GstPeopleNoMaskPolicy" }
    var blurb: String {
        switch self {
        case .cover: "Show only the background"
        case .pass: "Show the frame unchanged"
        case .error: "Stop with an error"
        }
    }
}
