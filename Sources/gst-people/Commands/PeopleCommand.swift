import CommandKit
import JSON

/// `gst-people people IN`: each person of each frame with mask, face, body and hands, as JSON.
struct PeopleCommand: Command {
    static let name = "people"
    static let summary = "print each person of a video or image, with all parts, as JSON: one line per frame"
    static let arguments = "IN"
    static let details = """
        Each line has the frame's timestamp in seconds, as a player shows it, and the list people:
        id, box, mask-area (the part of the frame that the mask covers), face, body and hands. A
        person keeps the id as long as any part is seen. Places are fractions of the upright
        frame, angles are in radians. Parts without a known person have entries of their own,
        whose id is null. The first line also has the units.

        \(FramePart.details)
        """
    static var options: [Option<Self>] {
        [
            .flag("pose-3d", "add joints of bodies and hands in metres", \.hasPose3D),
            .number(
                "field-of-view", "DEGREES", in: 0...150,
                "vertical field of view of the camera; 0 = unknown", \.fieldOfView),
            .integer(
                "max-people", "N", in: 1...12, "maximum number of people (default: 4)", \.maximumPeople),
            .choice(
                "quality", ["fast", "balanced", "accurate"],
                "speed or detail of the masks (default: balanced)", \.quality),
        ] + FramePart.listOptions.map { $0.inside(\.part) }
    }

    private var part = FramePart()
    private var hasPose3D = false
    private var fieldOfView = 0.0
    private var maximumPeople = 4
    private var quality = "balanced"

    /// Maximum number of hands that `handpose` finds.
    private static let maximumHands = 16

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        guard let input = arguments.first, arguments.count == 1 else { throw .usage("give one IN") }
        let frames = try FrameReader(
            input, part,
            through: "personsegment name=masks instances=true ! bodypose name=bodies upper-body-only=false "
                + "! facepose name=faces ! handpose name=hands")
        frames.set("masks", "quality", to: quality)
        frames.set("masks", "max-instances", to: "\(maximumPeople)")
        frames.set("bodies", "max-people", to: "\(maximumPeople)")
        frames.set("faces", "max-faces", to: "\(maximumPeople)")
        frames.set("hands", "max-hands", to: "\(min(2 * maximumPeople, Self.maximumHands))")
        for name in ["bodies", "faces"] { frames.set(name, "field-of-view", to: "\(fieldOfView)") }
        for name in ["bodies", "hands"] { frames.set(name, "pose-3d", to: "\(hasPose3D)") }
        return try AnalysisListing.printLines(of: frames, part, "people", units) { frame throws(ToolError) in
            PeopleListing(of: frame.buffer).json
        }
    }

    private var units: [(name: String, value: JSON)] {
        AnalysisListing.boxUnits + [
            ("mask-area", .string("frame width x frame height")), ("roll", .string("rad")),
            ("yaw", .string("rad")), ("pitch", .string("rad")),
            ("joints", .string("frame width, frame height, confidence")), ("joints-3d", .string("m")),
            ("camera-position", .string("m")), ("body-height", .string("m")),
        ]
    }
}
