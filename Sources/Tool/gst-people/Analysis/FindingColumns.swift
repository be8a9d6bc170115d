import JSON

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

/// A column of a table of findings.
struct ListColumn {
    /// The kind of a column's values.
    enum Kind: String { case text, integer, number, flag }

    /// A step from a JSON value to one inside of it.
    enum Step {
        case field(String)
        case index(Int)
    }

    let name: String
    let kind: Kind
    /// Empty for a column without a unit.
    let unit: String
    /// The path from a finding to the value.
    let path: [Step]

    init(_ name: String, _ kind: Kind, _ unit: String = "", _ path: [Step]) {
        (self.name, self.kind, self.unit, self.path) = (name, kind, unit, path)
    }

    /// Makes a column for a field of a finding; `_` takes the place of `-`.
    init(_ field: String, _ kind: Kind = .number, _ unit: String = "") {
        self.init(field.columnName, kind, unit, [.field(field)])
    }

    /// Returns the column of a finding that is a part of another.
    func inside(_ part: [Step], as prefix: String) -> ListColumn {
        ListColumn("\(prefix)_\(name)", kind, unit, part + path)
    }

    /// Returns the value of a finding; nil when it has none.
    func value(of finding: JSON) -> JSON? { finding.value(at: path) }
}

extension JSON {
    /// Returns the value at a path; nil when there is none.
    func value(at path: [ListColumn.Step]) -> JSON? {
        var value = self
        for step in path {
            let next: JSON? =
                switch step {
                case .field(let name): value[name]
                case .index(let index): value.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}

extension ListColumn {
    /// Returns the columns of an array of numbers, each with a name and a unit.
    static func numbers(
        _ prefix: String, _ path: [Step], _ axes: [(name: String, unit: String)]
    ) -> [ListColumn] {
        axes.enumerated().map { index, axis in
            ListColumn("\(prefix.columnName)_\(axis.name)", .number, axis.unit, path + [.index(index)])
        }
    }
}

extension String {
    /// The name of a field of metadata as that of a column or keypoint.
    var columnName: String { String(map { $0 == "-" ? "_" : $0 }) }
}
