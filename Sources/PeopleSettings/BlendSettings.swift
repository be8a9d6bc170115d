package import Imaging
package import Properties

/// The properties of `blendmask`.
package struct BlendSettings: ElementSettings, Equatable {
    package var source = BackgroundChoice.auto
    package var background: String?
    package var fit = PictureFit.cover
    package var isMirrored = false
    package var color: UInt32 = 0xff00_0000
    package var poseAngle = PoseAngleChoice.all
    package var premultiplies = false

    package var blur = 0.0
    package var exposure = 0.0
    package var desaturation = 0.0
    package var shadowOpacity = 0.0
    package var shadowX = 1.0
    package var shadowY = 1.0
    package var shadowRadius = 2.0
    package var haloWidth = 0.0
    package var haloColor: UInt32 = 0xffff_ffff

    package var decontamination = DecontaminationChoice.auto
    package var lightWrap = 0.0
    package var inverts = false
    package var shown = ShownChoice.result

    package var instances: String?
    package var instancesAt: String? { didSet { clicks &+= 1 } }
    package var instancesExcept: String?
    package var selectsByClick = false
    /// Number of times that `instances-at` was set.
    package private(set) var clicks: UInt = 0

    package var heads = HeadsChoice.keep
    package var headsOf: String?
    package var headsAt: String? { didSet { headClicks &+= 1 } }
    package var headsExcept: String?
    /// Number of times that `heads-at` was set.
    private var headClicks: UInt = 0

    package var noMask = NoMaskPolicy.cover
    package var maximumAge: Int64 = -1
    package var keepMask = false
    package var hidesRoom = false

    package init() {}

    package static var properties: [Property<BlendSettings>] {
        sources + effects + edges + people + anonymity + policies
    }

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
                "Colour of the background, of the area around a fitted picture, of covered heads, and of frames that must be covered",
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

    private static var anonymity: [Property<BlendSettings>] {
        [
            .choice(
                "heads",
                "What is done with people's heads. Needs personsegment instances=true, facepose and bodypose upstream: of a person whose head is not found, everything is hidden. no-mask=pass and max-mask-age do nothing then (Since: 0.2.0)",
                \.heads),
            .string(
                "heads-of",
                "Ids of the people whose heads are hidden, such as 1,3; of all people unless set. Who was never in a frame together with them is hidden, too (Since: 0.2.0)",
                \.headsOf),
            .string(
                "heads-at",
                "Point as fractions of the frame's width and height, such as 0.4,0.5: the head of the person there is hidden, and followed. A point on the background hides all heads (Since: 0.2.0)",
                \.headsAt),
            .string(
                "heads-except", "Ids of people whose heads are not hidden, such as 2 (Since: 0.2.0)",
                \.headsExcept),
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
    package var location: String? {
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
    package var resolvedSource: BackgroundChoice { backdrop.resolved }

    /// The settings that are drawn: those that `hide-room` and `heads` rule out are replaced.
    package var drawn: BlendSettings {
        guard hidesRoom || heads != .keep else { return self }
        var drawn = self
        if hidesRoom {
            let hidden = backdrop.hidingRoom
            (drawn.source, drawn.blur, drawn.inverts) = (hidden.source, hidden.blur, hidden.inverts)
        }
        if noMask == .pass { drawn.noMask = .cover }
        // An older mask shows the former positions of the people.
        drawn.maximumAge = -1
        return drawn
    }

    /// The choice of the people who are shown.
    var shownPeople: PeopleChoice.Texts {
        PeopleChoice.Texts(ids: instances, point: instancesAt, exceptions: instancesExcept, clicks: clicks)
    }

    /// The choice of the people whose heads are hidden.
    var hiddenHeads: PeopleChoice.Texts {
        PeopleChoice.Texts(ids: headsOf, point: headsAt, exceptions: headsExcept, clicks: headClicks)
    }

    /// Whether the output must have alpha.
    package var needsAlpha: Bool { resolvedSource == .transparent && shown == .result }
}

// The enumerations of blendmask's properties; the raw values are the nicks.

/// The kind of background behind the people.
package typealias BackgroundChoice = Backdrop.Source

/// The angles of a head that set the colour of the source `pose`.
package enum PoseAngleChoice: String, PropertyChoice {
    case all, roll, yaw, pitch

    package static var typeName: String { "GstPeoplePoseAngle" }
    package var blurb: String {
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
package enum DecontaminationChoice: String, PropertyChoice {
    case off = "false"
    case on = "true"
    case auto

    package static var typeName: String { "GstPeopleDecontamination" }
    package var blurb: String {
        switch self {
        case .off: "Never"
        case .on: "Always"
        case .auto: "If the mask is a matte (quality balanced or accurate) and the background is replaced"
        }
    }
}

/// The image that the element outputs.
package enum ShownChoice: String, PropertyChoice {
    case result, mask

    package static var typeName: String { "GstPeopleShown" }
    package var blurb: String {
        switch self {
        case .result: "The composited image"
        case .mask: "The mask as an image: white is kept, black is replaced"
        }
    }
}

/// The treatment of heads.
package enum HeadsChoice: String, PropertyChoice {
    case keep, blur, pixelate, cover

    package static var typeName: String { "GstPeopleHeads" }
    package var blurb: String {
        switch self {
        case .keep: "They stay as they are"
        case .blur: "They are blurred, as strongly as the largest one needs"
        case .pixelate: "They are shown in large squares of one colour each"
        case .cover: "They are covered with background-color; only this keeps nothing of a face"
        }
    }
}

/// The treatment of a frame without a mask, or with one that is too old or malformed.
package enum NoMaskPolicy: String, PropertyChoice {
    case cover, pass, error

    package static var typeName: String { "GstPeopleNoMaskPolicy" }
    package var blurb: String {
        switch self {
        case .cover: "Show only the background"
        case .pass: "Show the frame unchanged"
        case .error: "Stop with an error"
        }
    }
}
