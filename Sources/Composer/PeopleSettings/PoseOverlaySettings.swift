public import PeopleVision
public import Properties

/// The properties of `poseoverlay`.
package struct PoseOverlaySettings: ElementSettings {
    package var faces = FaceOverlay.all
    package var bodies = BodyOverlay.skeleton
    package var hands = HandOverlay.skeleton
    /// Ids of people; nil or empty for all people.
    package var people: String?

    package init() {}

    /// Whether any drawing is enabled.
    package var drawsAnything: Bool { faces != .none || bodies != .none || hands != .none }

    package static var properties: [Property<Self>] {
        let drawings: [Property<Self>] = [
            .choice("faces", "What to draw for each face (Since: 0.2.0)", \.faces)
                .control("Faces", in: .overlays, at: 1),
            .choice("bodies", "What to draw for each person (Since: 0.2.0)", \.bodies)
                .control("Bodies", in: .overlays, at: 2),
            .choice("hands", "What to draw for each hand (Since: 0.2.0)", \.hands)
                .control("Hands", in: .overlays, at: 3),
            .string(
                "people",
                "Draw only these people, by their ids in metadata, such as 1,3; everybody unless set (Since: 0.2.0)",
                as: .ids, \.people
            )
            .without(.page, because: "the page draws everybody"),
        ]
        return drawings.map {
            $0.without(.tool, .lifting, because: "its commands list findings, and draw none")
                .without(.obs, because: "nothing finds faces, bodies or hands there")
        }
    }
}

// The enumerations of drawings; the raw values are the words that users type.

extension FaceOverlay: PropertyChoice {
    /// The name of the enumeration.
    public static var name: String { "FaceOverlay" }
    /// The case in controls.
    public var label: String { overlayLabel }
    /// The effect of the case.
    public var blurb: String {
        switch self {
        case .none: "Nothing; frames are not changed"
        case .boxes: "A box around each face"
        case .axes: "Three axes of the head: red points to the right of the image, green down, blue forward"
        case .landmarks: "The outlines of the facial features"
        case .all: "Boxes, axes and landmarks"
        }
    }
}

extension BodyOverlay: PropertyChoice {
    /// The name of the enumeration.
    public static var name: String { "BodyOverlay" }
    /// The case in controls.
    public var label: String { overlayLabel }
    /// The effect of the case.
    public var blurb: String {
        switch self {
        case .none: "Nothing; frames are not changed"
        case .boxes: "A box around each person"
        case .skeleton: "Lines between the joints: orange on the person's left, blue on the right"
        case .all: "Boxes and skeletons"
        }
    }
}

extension HandOverlay: PropertyChoice {
    /// The name of the enumeration.
    public static var name: String { "HandOverlay" }
    /// The case in controls.
    public var label: String { overlayLabel }
    /// The effect of the case.
    public var blurb: String {
        switch self {
        case .none: "Nothing; frames are not changed"
        case .boxes: "A box around each hand"
        case .skeleton: "Lines between the joints: orange for left hands, blue for right ones"
        case .all: "Boxes and skeletons"
        }
    }
}

extension PropertyChoice {
    /// The word, capitalised; none is an absence of drawings.
    fileprivate var overlayLabel: String {
        rawValue == "none" ? "Off" : rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
}
