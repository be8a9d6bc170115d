/// The columns of each kind of finding, in the order in which JSON has the values.
///
/// Columns depend on options only: a table has the same columns whatever is found.
enum FindingColumns {
    /// The columns of a face.
    static func face(hasQuality: Bool = false, hasLandmarks: Bool = false, hasMesh: Bool = false)
        -> [ListColumn]
    {
        var columns = finding + ["roll", "yaw", "pitch"].map { ListColumn($0, .number, radians) }
        columns.append(ListColumn("angles-reliable", .flag))
        if hasQuality { columns.append(ListColumn("quality")) }
        if hasLandmarks {
            for (region, count) in FindingPoints.faceRegions {
                columns += points(of: region, count, [.field("landmarks"), .field(region)], place)
            }
        }
        if hasMesh {
            columns += points(of: "mesh", FindingPoints.meshCount, [.field("mesh")], meshPlace)
        }
        return columns
    }

    /// The columns of a body.
    static func body(hasPose3D: Bool) -> [ListColumn] {
        let flat = finding + [ListColumn("upper-body-only", .flag)] + joints(FindingPoints.body)
        guard hasPose3D else { return flat }
        return flat + joints3D(FindingPoints.body3D)
            + ListColumn.numbers("camera-position", [.field("camera-position")], space)
            + [ListColumn("body-height", .number, metres), ListColumn("height-estimation", .text)]
    }

    /// The columns of a hand.
    static func hand(hasPose3D: Bool) -> [ListColumn] {
        finding + [ListColumn("chirality", .text), ListColumn("chirality-confidence")]
            + joints(FindingPoints.hand) + (hasPose3D ? joints3D(FindingPoints.hand) : [])
    }

    /// The columns of a person with a mask, a body, a face and up to two hands.
    static func person(hasPose3D: Bool) -> [ListColumn] {
        let hands = (0..<handsOfAPerson).flatMap { index in
            hand(hasPose3D: hasPose3D).map {
                $0.inside([.field("hands"), .index(index)], as: "hand_\(index + 1)")
            }
        }
        return identity + [ListColumn("mask-area", .number, "frame width x frame height")]
            + body(hasPose3D: hasPose3D).map { $0.inside([.field("body")], as: "body") }
            + face().map { $0.inside([.field("face")], as: "face") } + hands
    }

    /// Maximum number of hands that belong to one person.
    private static let handsOfAPerson = 2

    private static let (metres, radians) = ("m", "rad")
    private static let (frameWidth, frameHeight) = ("frame width", "frame height")

    private typealias Axes = [(name: String, unit: String)]
    private static let place: Axes = [("x", frameWidth), ("y", frameHeight), ("confidence", "")]
    private static let meshPlace: Axes = [("x", frameWidth), ("y", frameHeight), ("depth", frameWidth)]
    private static let space: Axes = [("x", metres), ("y", metres), ("z", metres)]

    private static let identity = [
        ListColumn("id", .integer), ListColumn("x", .number, frameWidth),
        ListColumn("y", .number, frameHeight),
        ListColumn("width", .number, frameWidth), ListColumn("height", .number, frameHeight),
    ]
    private static let finding = identity + [ListColumn("confidence")]

    private static func joints(_ names: [String]) -> [ListColumn] {
        names.flatMap { ListColumn.numbers($0, [.field("joints"), .field($0)], place) }
    }

    private static func joints3D(_ names: [String]) -> [ListColumn] {
        names.flatMap { ListColumn.numbers($0 + "-3d", [.field("joints-3d"), .field($0)], space) }
    }

    /// Returns the columns of a list of points, which are counted from 0 as in JSON.
    private static func points(
        of name: String, _ count: Int, _ path: [ListColumn.Step], _ axes: Axes
    ) -> [ListColumn] {
        (0..<count).flatMap { ListColumn.numbers("\(name)-\($0)", path + [.index($0)], axes) }
    }
}

/// The names of the points of findings, as docs/metadata.md lists them.
enum FindingPoints {
    static let body = [
        "nose", "left-eye", "right-eye", "left-ear", "right-ear", "neck", "left-shoulder", "right-shoulder",
        "left-elbow", "right-elbow", "left-wrist", "right-wrist", "root", "left-hip", "right-hip",
        "left-knee",
        "right-knee", "left-ankle", "right-ankle",
    ]

    static let body3D = [
        "top-head", "center-head", "center-shoulder", "left-shoulder", "right-shoulder", "left-elbow",
        "right-elbow", "left-wrist", "right-wrist", "spine", "root", "left-hip", "right-hip", "left-knee",
        "right-knee", "left-ankle", "right-ankle",
    ]

    static let hand =
        ["wrist"] + ["cmc", "mp", "ip", "tip"].map { "thumb-\($0)" }
        + ["index", "middle", "ring", "little"].flatMap { finger in
            ["mcp", "pip", "dip", "tip"].map { "\(finger)-\($0)" }
        }

    /// The regions of a face with the number of points in each.
    static let faceRegions: [(name: String, count: Int)] = [
        ("face-contour", 17), ("left-eye", 6), ("right-eye", 6), ("left-eyebrow", 6), ("right-eyebrow", 6),
        ("nose", 8), ("nose-crest", 5), (repeatedRegion, 10), ("outer-lips", 14), ("inner-lips", 6),
        ("left-pupil", 1), ("right-pupil", 1),
    ]

    /// The region whose points are all in other regions, too.
    static let repeatedRegion = "median-line"

    /// Points of the face mesh.
    static let meshCount = 478
}
