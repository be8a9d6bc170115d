package import Framing
package import Imaging
package import Properties

/// The properties of `autoframe`.
package struct FramingSettings: ElementSettings, Equatable {
    package var shot = ShotSettings()
    package var aspect: String?
    package var width = 0
    package var height = 0
    package var zoom = 0.0
    package var centerX = 0.5
    package var centerY = 0.5
    package var secondZoom = 0.0
    package var secondX = 0.5
    package var secondY = 0.5
    package var describes = false
    package var personID = -1
    package var personAt: String? { didSet { clicks &+= 1 } }
    /// Number of times that `person-at` was set.
    private var clicks: UInt = 0

    package init() {}

    package static var properties: [Property<FramingSettings>] {
        whole.map { $0.without(.tool, .lifting, because: "--framing and --reframe choose there") }
    }

    private static var whole: [Property<FramingSettings>] { [framing] + sizes + motion + who + choices }

    private static var framing: Property<FramingSettings> {
        .choice("framing", "The part of the people that is shown (Since: 0.2.0)", \.shot.framing)
            .control("How close", in: .framing, at: 2)
    }

    private static var sizes: [Property<FramingSettings>] {
        let sizes: [Property<FramingSettings>] = [
            .string(
                "aspect",
                "Width over height of the output as displayed, such as 9:16; the input's unless set (Since: 0.2.0)",
                as: .ratio, \.aspect),
            .count(
                "width",
                "Width of the output in pixels; 0 leaves it to height and aspect, to the caps downstream, and else to the input (Since: 0.2.0)",
                in: 0...ImageView.maximumSide, \.width),
            .count(
                "height", "Height of the output in pixels; 0 as for width (Since: 0.2.0)",
                in: 0...ImageView.maximumSide, \.height),
        ]
        return sizes.map { $0.without(.page, .preset, .obs, because: "frames keep the size of the camera's") }
    }

    private static var motion: [Property<FramingSettings>] {
        [
            .double(
                "zoom-max",
                "Largest magnification: the frame's height over that of the part that is shown (Since: 0.2.0)",
                in: 1...32, \.shot.largestZoom
            )
            .without(.page, .obs, because: "the framing says how close people are"),
            .double(
                "margin",
                "Space around the people beyond what belongs to framing, in percent of the output's height (Since: 0.2.0)",
                in: 0...100, as: .margin, \.shot.margin
            )
            .control("Space around", in: .framing, at: 3, .percent, slider: 0...40),
            .double(
                "speed", "How soon and how fast the picture follows; 1 is calm (Since: 0.2.0)", in: 0.1...10,
                \.shot.speed
            )
            .control("How fast", in: .framing, at: 4, slider: 0.1...3),
            .double(
                "lead", "Room in the direction in which a person looks or moves (0 = none) (Since: 0.2.0)",
                in: 0...1, \.shot.lead
            )
            .without(.page, .obs, because: "its default fits, and few know the word"),
        ]
    }

    private static var who: [Property<FramingSettings>] {
        let stream = "people have ids and places in one stream only"
        let clicks = "filters receive no clicks"
        return [
            .count(
                "person-id", "Id of the person who is followed; -1 for the largest (Since: 0.2.0)",
                in: -1...Int(Int32.max), \.personID
            )
            .control("Whom", in: .framing, at: 5).drawnSeparately(by: .page)
            .without(.preset, because: stream).without(.obs, because: clicks),
            .string(
                "person-at",
                "Point as fractions of the frame's width and height, such as 0.4,0.5: the person there is followed (Since: 0.2.0)",
                as: .point, \.personAt
            )
            .without(.page, .preset, because: stream).without(.obs, because: clicks),
            .choice("on-lost", "What is shown while nobody is seen (Since: 0.2.0)", \.shot.lost)
                .without(.page, .obs, because: "its default fits a camera"),
        ]
    }

    private static var choices: [Property<FramingSettings>] {
        let choices: [Property<FramingSettings>] = [
            .double(
                "zoom",
                "Shows the part around center-x and center-y, at this magnification, instead of following people (0 = follow them) (Since: 0.2.0)",
                in: 0...32, \.zoom),
            .double(
                "center-x",
                "With zoom: the part's middle, as a fraction of the upright frame's width (Since: 0.2.0)",
                in: 0...1, \.centerX),
            .double(
                "center-y",
                "With zoom: the part's middle, as a fraction of the upright frame's height (Since: 0.2.0)",
                in: 0...1, \.centerY),
            .double(
                "second-zoom",
                "With zoom: magnification of a second part; each is shown in half of the output, the second one below in upright outputs, else on the right (0 = one part only) (Since: 0.2.0)",
                in: 0...32, \.secondZoom),
            .double(
                "second-x",
                "With second-zoom: the second part's middle, as a fraction of the upright frame's width (Since: 0.2.0)",
                in: 0...1, \.secondX),
            .double(
                "second-y",
                "With second-zoom: the second part's middle, as a fraction of the upright frame's height (Since: 0.2.0)",
                in: 0...1, \.secondY),
            .bool(
                "describe", "Attaches the part that is shown to each frame (GstPeopleFraming) (Since: 0.2.0)",
                \.describes),
        ]
        return choices.map {
            $0.without(.page, .preset, .obs, because: "it is for programs that choose the part")
        }
    }
}

extension PropertyConversion where Stored == Double, Shown == Double {
    /// A share, shown in percent.
    fileprivate static var margin: Self { Self(show: { $0 * 100 }, store: { $0 / 100 }) }
}

extension FramingSettings {
    /// Returns the shot that is asked for instead of following people; nil to follow them.
    package func fixedShot(in space: ShotSpace) -> Shot? {
        guard zoom > 0 else { return nil }
        return space.inside(Shot(x: centerX * space.frameAspect, y: centerY, height: 1 / zoom))
    }

    /// Returns the shots of both halves that are asked for; nil for one shot.
    package func fixedShots(in screen: SplitScreen) -> (first: Shot, second: Shot)? {
        guard secondZoom > 0, let first = fixedShot(in: screen.half) else { return nil }
        let place = Shot(x: secondX * screen.half.frameAspect, y: secondY, height: 1 / secondZoom)
        return (first, screen.half.inside(place))
    }

    /// The properties that the output's size depends on.
    package struct Output: Equatable {
        private let (width, height): (Int, Int)
        private let aspect: String?

        fileprivate init(_ settings: FramingSettings) {
            (width, height, aspect) = (settings.width, settings.height, settings.aspect)
        }
    }

    /// The properties that the output's size depends on.
    package var output: Output { Output(self) }

    /// The person who is followed.
    ///
    /// - Throws: when `person-at` is malformed.
    package func wish() throws(MalformedProperty) -> PersonChoice.Wish {
        if personID >= 0 { return .id(personID) }
        guard let point = try PeopleIDs.point(personAt, of: "person-at") else { return .anybody }
        return .point(point, click: clicks)
    }

    /// Width over height of the displayed output; nil for the input's.
    ///
    /// - Throws: when `aspect` is malformed.
    package func outputAspect() throws(MalformedProperty) -> Double? {
        guard let aspect, !aspect.isEmpty else { return nil }
        guard let ratio = PropertyText.ratio(aspect) else {
            throw PeopleIDs.malformed("aspect", aspect, wanted: "a width and a height, such as 9:16")
        }
        return ratio > 0 ? ratio : nil
    }

    /// Returns the size of the output for an input; nil to leave it to the caps downstream.
    ///
    /// - Parameters:
    ///   - size: the input's, in pixels.
    ///   - pixelAspect: width over height of a pixel.
    package func outputSize(for size: Size, pixelAspect: Double) -> (width: Int, height: Int)? {
        let asked = try? outputAspect()
        if width > 0, height > 0 { return (width, height) }
        guard width > 0 || height > 0 || asked ?? nil != nil, size.width > 0, size.height > 0 else {
            return nil
        }
        // In pixels instead of as displayed.
        let shape = (asked ?? nil).map { $0 / pixelAspect } ?? size.width / size.height
        if width > 0 { return (width, Self.side(Double(width) / shape)) }
        if height > 0 { return (Self.side(Double(height) * shape), height) }
        return (
            Self.side(min(size.width, size.height * shape)), Self.side(min(size.height, size.width / shape))
        )
    }

    /// Returns the nearest even number of pixels, which formats with shared chroma need.
    private static func side(_ length: Double) -> Int {
        guard length.isFinite else { return 2 }
        return 2 * Int(min(max((length / 2).rounded(), 1), Double(ImageView.maximumSide / 2)))
    }
}

extension FramingChoice: PropertyChoice {
    /// The name of the enumeration.
    package static var name: String { "FramedPart" }
    /// The case in controls.
    package var label: String {
        switch self {
        case .face: "Face"
        case .headAndShoulders: "Head and shoulders"
        case .upperBody: "Upper body"
        case .body: "Whole body"
        case .everyone: "Everyone"
        }
    }
    /// The effect of the case.
    package var blurb: String {
        switch self {
        case .face: "One person's face"
        case .headAndShoulders: "One person's head and shoulders"
        case .upperBody: "One person down to the hips"
        case .body: "One person as a whole"
        case .everyone: "All people, each at least down to the hips"
        }
    }
}

extension LostChoice: PropertyChoice {
    /// The name of the enumeration.
    package static var name: String { "Lost" }
    /// The effect of the case.
    package var blurb: String {
        switch self {
        case .hold: "What was shown last"
        case .wide: "What was shown last, and after two seconds, slowly, as much as possible"
        }
    }
}
