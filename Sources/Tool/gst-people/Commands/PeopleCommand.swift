import CommandKit
import JSON

/// `gst-people people IN...`: each person of each frame with mask, face, body and hands.
struct PeopleCommand: Command {
    static let name = "people"
    static let summary = "list each person of videos and images, with all parts, as JSON or a table"
    static let arguments = "IN..."
    static let details = """
        A person has id, box, mask-area (the part of the frame that the mask covers), face, body
        and hands, and keeps the id as long as any part is seen. Parts without a known person have
        entries of their own, whose id is null.

        \(ListOptions.details)
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
        ] + ListOptions.options.map { $0.inside(\.list) }
    }

    private var list = ListOptions()
    private var hasPose3D = false
    private var fieldOfView = 0.0
    private var maximumPeople = 4
    private var quality = "balanced"

    /// Maximum number of hands that `handpose` finds.
    private static let maximumHands = 16

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        try listing.run(arguments, list)
    }

    private var listing: AnalysisListing {
        AnalysisListing(
            name: Self.name,
            elements: "personsegment name=masks instance-masks=true "
                + "! bodypose name=bodies upper-body-only=false "
                + "! facepose name=faces ! handpose name=hands",
            properties: properties, units: units, columns: FindingColumns.person(hasPose3D: hasPose3D),
            categories: COCOCategory.people, findings: { PeopleListing(of: $0.buffer).json })
    }

    private var properties: [AnalysisListing.Property] {
        [
            ("masks", "quality", quality), ("masks", "max-instances", "\(maximumPeople)"),
            ("bodies", "max-people", "\(maximumPeople)"), ("faces", "max-faces", "\(maximumPeople)"),
            ("hands", "max-hands", "\(min(2 * maximumPeople, Self.maximumHands))"),
            ("bodies", "field-of-view", "\(fieldOfView)"), ("faces", "field-of-view", "\(fieldOfView)"),
            ("bodies", "pose-3d", "\(hasPose3D)"), ("hands", "pose-3d", "\(hasPose3D)"),
        ]
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
