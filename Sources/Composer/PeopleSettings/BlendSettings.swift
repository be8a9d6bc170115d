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

    package var peopleExposure = 0.0
    package var adjustsForLowLight = false

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
    package private(set) var headClicks: UInt = 0

    package var noMask = NoMaskPolicy.cover
    package var maximumAge: Int64 = -1
    package var keepMask = false
    package var coversSilently = false
    package var hidesRoom = false

    package init() {}

    package static var properties: [Property<BlendSettings>] {
        sources + effects + edges + people + light + anonymity + policies
    }

    private static var sources: [Property<BlendSettings>] {
        [
            .choice(
                "background-source",
                "What replaces the background. auto takes the picture or clip of background if there is one, the original "
                    + "if blur, exposure or desaturate is set, and else background-color",
                \.source
            )
            .control("Behind the people", in: .background, at: 1).drawnSeparately(by: .page)
            .partOfOptions("--background, --color, --original, --pose-color, --angle, --transparent")
            .without(BackgroundChoice.transparent.rawValue, in: .page)
            // Nothing finds faces there.
            .without(BackgroundChoice.pose.rawValue, in: .obs),
            .string(
                "background", "Path or URI of the background picture or clip", as: .file, \.background
            )
            .control("Picture or clip", in: .background, at: 2).drawnSeparately(by: .page).partOfOptions(
                "--background"),
            .choice("background-fit", "How the picture or clip is fitted into the frame", \.fit)
                .control("Size of the picture", in: .background, at: 5, needs: [.picture])
                .option("how the picture or clip is fitted into the frame", for: .backgrounds),
            .bool("mirror", "Mirrors the picture or clip horizontally", \.isMirrored)
                .control("Mirror the background", in: .background, at: 9, needs: [.picture])
                .option(
                    "mirror-background", "mirror the picture or clip horizontally", for: .backgrounds),
            .color(
                "background-color",
                "Colour of the background, of the area around a fitted picture, of covered heads, and of frames that must be covered",
                \.color
            )
            .control("Colour", in: .background, at: 3, needs: [.color, .framedPicture])
            .partOfOptions("--color"),
            .choice(
                "pose-angle", "With background-source=pose: which angles set the colour (Since: 0.2.0)",
                \.poseAngle
            )
            .control("Angles of the head", in: .background, at: 4, needs: [.pose])
            .partOfOptions("--pose-color, --angle")
            .without(.lifting, because: "a cut-out has no colour of the head")
            .without(.obs, because: "nothing finds faces there"),
            .bool(
                "premultiply", "With a transparent background: premultiplies the colours by alpha",
                \.premultiplies
            )
            .without(.tool, .lifting, because: "the files that it writes have straight alpha")
            .without(.page, because: "it is for programs that read alpha")
            .without(.obs, because: "OBS takes straight alpha"),
        ]
    }

    private static var effects: [Property<BlendSettings>] { ofBackground + shadow + halo }

    private static var ofBackground: [Property<BlendSettings>] {
        [
            .double("blur", "Strength of the background blur, in percent (0 = off)", in: 0...100, \.blur)
                .control("Blur", in: .background, at: 6, .percent, needs: [.blurredRoom, .picture])
                .option("blur of the background", as: "N", for: .backgrounds),
            .double(
                "exposure", "Exposure change of the background, in stops (0 = unchanged)", in: -10...10,
                \.exposure
            )
            .control(
                "Brightness", in: .background, at: 7, .stops, slider: -3...3,
                needs: [.sharpRoom, .blurredRoom, .picture]
            )
            .option("exposure change of the background, in stops", for: .backgrounds),
            .double(
                "desaturate", "Desaturation of the background (0 = unchanged, 1 = grey)", in: 0...1,
                \.desaturation
            )
            .control(
                "Less colour", in: .background, at: 8, needs: [.sharpRoom, .blurredRoom, .picture]
            )
            .option("desaturation of the background; 1 is grey", for: .backgrounds),
        ]
    }

    private static var shadow: [Property<BlendSettings>] {
        [
            .double(
                "shadow-opacity", "Opacity of the people's shadow (0 = no shadow)", in: 0...1, \.shadowOpacity
            )
            .control("Shadow", in: .additions, at: 1).option("shadow", "opacity of the people's shadow"),
            .double(
                "shadow-x", "Offset of the shadow to the right, in percent of the frame's height",
                in: -100...100, \.shadowX
            )
            .control("Shadow to the right", in: .additions, at: 2, .percent, slider: -15...15)
            .option("offset of the shadow to the right, in percent of the frame's height"),
            .double(
                "shadow-y", "Offset of the shadow downwards, in percent of the frame's height",
                in: -100...100, \.shadowY
            )
            .control("Shadow down", in: .additions, at: 3, .percent, slider: -15...15)
            .option("offset of the shadow downwards, in percent of the frame's height"),
            .double(
                "shadow-radius", "Blur radius of the shadow, in percent of the frame's height", in: 0...50,
                \.shadowRadius
            )
            .control("Shadow softness", in: .additions, at: 4, .percent, slider: 0...15)
            .option("blur radius of the shadow, in percent of the frame's height"),
        ]
    }

    private static var halo: [Property<BlendSettings>] {
        [
            .double(
                "halo-width",
                "Width of an outline around the people, in percent of the frame's height (0 = none)",
                in: 0...20, \.haloWidth
            )
            .control("Outline", in: .additions, at: 5, .percent, slider: 0...5)
            .option("width of an outline around the people, in percent of the frame's height"),
            .color("halo-color", "Colour of the outline", \.haloColor)
                .control("Outline colour", in: .additions, at: 6)
                .option("colour of the outline (default: white)"),
        ]
    }

    private static var edges: [Property<BlendSettings>] {
        [
            .choice(
                "decontaminate", "Removes the original background's colour from soft edges such as hair",
                \.decontamination
            )
            .control("Remove colour fringe", in: .edges, at: 3)
            .option("remove the original background's colour from soft edges", for: .backgrounds),
            .double(
                "light-wrap", "Amount of background light on the people's edges (0 = off)", in: 0...1,
                \.lightWrap
            )
            .control("Background light on edges", in: .edges, at: 4)
            .option("amount of background light on the people's edges", for: .backgrounds),
            .bool("invert", "Replaces the people and keeps the background", \.inverts)
                .control("Hide the people instead", in: .people, at: 6)
                .option("replace the people and keep the background")
                .without(.lifting, because: "it cuts people out"),
            .choice("show", "What the output shows", \.shown)
                .control("Show", in: .level, at: 2)
                .option("what to show: the result, or the mask (white = people)")
                .without(.lifting, because: "it cuts people out")
                .without(.page, because: "the page has views of its own")
                .without(.preset, because: "it decides what frames are besides the result"),
        ]
    }

    private static var people: [Property<BlendSettings>] {
        [
            .string(
                "instances",
                "Ids of the people to show, such as 1,3; nobody else is shown. Needs personsegment instance-masks=true (Since: 0.2.0)",
                as: .ids, \.instances
            )
            .control("People by number", in: .people, at: 2).drawnSeparately(by: .page)
            .option("show only the people with these ids, such as 1,3")
            .without(.lifting, because: "--instance chooses there"),
            .string(
                "instances-at",
                "Point as fractions of the frame's width and height, such as 0.4,0.5: only the person there is shown, and followed. A point on the background shows everybody (Since: 0.2.0)",
                as: .point, \.instancesAt
            )
            .control("Person at", in: .people, at: 3).drawnSeparately(by: .page)
            .option("show only the person at this point, as fractions of the frame, such as 0.4,0.5")
            .without(.lifting, because: "--at chooses there"),
            .string(
                "instances-except", "Ids of people to hide, such as 2 (Since: 0.2.0)", as: .ids,
                \.instancesExcept
            )
            .control("All but", in: .people, at: 4).drawnSeparately(by: .page).option(
                "hide the people with these ids, such as 2"
            )
            .without(.lifting, because: "--instance chooses there"),
            .bool(
                "select-by-click",
                "A mouse click in the video window sets instances-at (Since: 0.2.0)",
                \.selectsByClick
            )
            .option("a click on a person shows only that person", for: .windows)
            .without(.lifting, because: "it has no window")
            .without(.page, because: "clicks on the page choose people anyway")
            .without(.obs, because: "filters receive no clicks"),
        ]
    }

    private static var light: [Property<BlendSettings>] {
        [
            .double(
                "people-exposure", "Exposure change of the people, in stops (0 = unchanged) (Since: 0.2.0)",
                in: -3...3, \.peopleExposure
            )
            .control("Brightness of the people", in: .people, at: 7, .stops, slider: -2...2)
            .option("exposure change of the people, in stops"),
            .bool(
                "low-light",
                "Brightens the people while the picture is dark, by 1.5 stops at most, in addition to people-exposure (Since: 0.2.0)",
                \.adjustsForLowLight
            )
            .control("Brighten in the dark", in: .people, at: 8)
            .option("brighten the people while the picture is dark"),
        ]
    }

    private static var anonymity: [Property<BlendSettings>] {
        let heads: [Property<BlendSettings>] = [
            .choice(
                "heads",
                "What is done with people's heads. Needs personsegment instance-masks=true, facepose and bodypose upstream: of a person whose head is not found, everything is hidden. no-mask=pass and max-mask-age do nothing then (Since: 0.2.0)",
                \.heads
            )
            .control("Heads", in: .heads, at: 1).drawnSeparately(by: .page)
            .option("hide people's heads; cover uses the background colour (default: keep)"),
            .string(
                "heads-of",
                "Ids of the people whose heads are hidden, such as 1,3; of all people unless set. Who was never in a frame together with them is hidden, too (Since: 0.2.0)",
                as: .ids, \.headsOf
            )
            .control("Heads of", in: .heads, at: 2).drawnSeparately(by: .page)
            .option("hide only the heads of the people with these ids, such as 1,3"),
            .string(
                "heads-at",
                "Point as fractions of the frame's width and height, such as 0.4,0.5: the head of the person there is hidden, and followed. A point on the background hides all heads (Since: 0.2.0)",
                as: .point, \.headsAt
            )
            .control("Head at", in: .heads, at: 3).drawnSeparately(by: .page)
            .option(
                "hide only the head of the person at this point, as fractions of the frame, such as 0.4,0.5"),
            .string(
                "heads-except", "Ids of people whose heads are not hidden, such as 2 (Since: 0.2.0)",
                as: .ids,
                \.headsExcept
            )
            .control("All heads but", in: .heads, at: 4).drawnSeparately(by: .page)
            .option("hide all heads but those of the people with these ids, such as 2"),
        ]
        return heads.map {
            $0.without(.lifting, because: "it searches for no heads")
                .without(.obs, because: "nothing finds heads there")
        }
    }

    private static var policies: [Property<BlendSettings>] {
        let policies: [Property<BlendSettings>] = [
            .choice("no-mask", "What to do with a frame without a usable mask", \.noMask)
                .hidesRoom(.texts([NoMaskPolicy.cover.rawValue, NoMaskPolicy.error.rawValue]))
                .without(.preset, because: "it decides what is shown of frames without a mask"),
            .int64(
                "max-mask-age",
                "Maximum age of a usable mask, in nanoseconds (-1 = twice the interval between masks)",
                in: -1...Int64.max, \.maximumAge
            )
            .hidesRoom(.texts(["-1"]))
            .without(.preset, because: "it decides what is shown of frames without a mask"),
            .bool(
                "keep-mask",
                "Leaves the mask, and metadata about hidden people, on the frame for elements downstream",
                \.keepMask
            )
            .without(.preset, because: "it decides what frames are besides the result"),
            .bool(
                "silent-cover",
                "Leaves out the words that covered frames show when usable masks have been missing for a second (Since: 0.2.0)",
                \.coversSilently
            )
            .without(.preset, because: "it decides what is shown of frames without a mask"),
            .bool(
                "hide-room",
                "Never shows sharply what is behind the people: the original background is blurred by 30 or more, and invert, no-mask=pass, max-mask-age and background-source=transparent do nothing. Stays true until the stream ends (Since: 0.2.0)",
                \.hidesRoom, .latched
            )
            .without(.preset, because: "the program that shows the frames decides it"),
        ]
        return policies.map {
            $0.without(
                .tool, .lifting, .page, .obs,
                because: "the program decides it, so that no frame shows the room")
        }
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
        (backdrop.blur, backdrop.inverts) = (blur, inverts)
        backdrop.hasOtherEffects = exposure != 0 || desaturation != 0
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

    /// Whether the output must have alpha.
    package var needsAlpha: Bool { resolvedSource == .transparent && shown == .result }
}

// The enumerations of blendmask's properties; the raw values are the nicks.

/// The kind of background behind the people.
package typealias BackgroundChoice = Backdrop.Source

/// The angles of a head that set the colour of the source `pose`.
package enum PoseAngleChoice: String, PropertyChoice {
    case all, roll, yaw, pitch

    package static var name: String { "PoseAngle" }
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

    package static var name: String { "Decontamination" }
    package var label: String {
        switch self {
        case .off: "No"
        case .on: "Yes"
        case .auto: "Automatic"
        }
    }
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

    package static var name: String { "Shown" }
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

    package static var name: String { "Heads" }
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

    package static var name: String { "NoMaskPolicy" }
    package var blurb: String {
        switch self {
        case .cover: "Show only the background"
        case .pass: "Show the frame unchanged"
        case .error: "Stop with an error"
        }
    }
}
