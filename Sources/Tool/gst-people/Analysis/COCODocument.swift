import CommandKit
import FileNames
import JSON

/// A document in COCO's format of keypoints: an image for each frame, an annotation for each finding.
///
/// The document is printed when it is complete: its lists of images and annotations grow at the same time.
struct COCODocument: ListWriter {
    private let name: String
    private let categories: [COCOCategory]
    private let (images, annotations): (ListInFile, ListInFile)

    /// - Parameters:
    ///   - name: name of the list of findings.
    ///   - categories: the kinds of findings in the list.
    init(_ name: String, _ categories: [COCOCategory]) throws(ToolError) {
        (self.name, self.categories) = (name, categories)
        (images, annotations) = (try ListInFile(), try ListInFile())
    }

    func add(_ frame: ListedFrame) throws(ToolError) -> Bool {
        let image = images.count + 1
        try images.append(
            .object([
                ("id", .integer(image)), ("file_name", .string(frame.file.legible)),
                ("width", .integer(frame.size.width)), ("height", .integer(frame.size.height)),
                ("frame", .integer(frame.number)), ("timestamp", frame.timestamp),
            ]))
        for finding in frame.findings {
            for category in categories {
                for part in category.parts(of: finding) {
                    let own: [(name: String, value: JSON)] = [
                        ("id", .integer(annotations.count + 1)), ("image_id", .integer(image)),
                    ]
                    let place = PixelPlace(size: frame.size)
                    try annotations.append(.object(own + category.annotation(of: part, finding, place)))
                }
            }
        }
        return true
    }

    func finish() throws(ToolError) {
        let information = JSON.object([
            ("description", .string("\(name), found by gst-people")), ("version", .string(version)),
        ])
        let kinds = JSON.array(categories.map(\.json))
        guard
            try printText(
                "{\"info\": \(information.text), \"licenses\": [], \"categories\": \(kinds.text), \"images\": ["
            )
        else { return }
        try images.print()
        guard try printText("], \"annotations\": [") else { return }
        try annotations.print()
        try printText("]}\n")
    }
}

/// A list of JSON values in a temporary file, as the list of a long video does not fit into memory.
private final class ListInFile {
    private let file: UnnamedFile
    private(set) var count = 0

    init() throws(ToolError) { file = try UnnamedFile() }

    func append(_ value: JSON) throws(ToolError) {
        try file.append((count == 0 ? "\n" : ",\n") + value.text)
        count += 1
    }

    func print() throws(ToolError) { try file.copyToStandardOutput() }
}

/// The size of a frame, in which places are given in pixels.
struct PixelPlace {
    let size: (width: Int, height: Int)

    func x(_ share: Double) -> Double { (share * Double(size.width)).rounded(digits: 6) }
    func y(_ share: Double) -> Double { (share * Double(size.height)).rounded(digits: 6) }
}

/// A kind of finding with the names of its keypoints, in COCO's format.
struct COCOCategory {
    /// A keypoint's name, and the path from the finding to its x, y and confidence.
    typealias Keypoint = (name: String, path: [ListColumn.Step])

    let id: Int
    let name: String
    let keypoints: [Keypoint]
    /// Pairs of connected keypoints, which COCO counts from 1 on.
    let skeleton: [(Int, Int)]
    /// The field of a person that has the finding or a list of them; nil where findings are not those of people.
    var field: String?
    /// Whether the finding stands for the whole person.
    var isWhole = false

    /// Confidence from which a keypoint counts as visible.
    private static let visible = 0.5

    /// The category as JSON.
    var json: JSON {
        let names: [(name: String, value: JSON)] = [
            ("keypoints", .array(keypoints.map { .string($0.name) })),
            ("skeleton", .array(skeleton.map { .array([.integer($0.0), .integer($0.1)]) })),
        ]
        return .object(
            [("id", .integer(id)), ("name", .string(name)), ("supercategory", .string("person"))]
                + (keypoints.isEmpty ? [] : names))
    }

    /// Returns the parts of a finding that belong to the category.
    func parts(of finding: JSON) -> [JSON] {
        guard let field else { return [finding] }
        if isWhole {
            let isPerson = finding[field] != nil || finding["mask-area"] != nil
            return isPerson ? [finding[field] ?? finding] : []
        }
        return finding[field].map { $0.array ?? [$0] } ?? []
    }

    /// Returns the fields of the annotation of a part; ids of images and annotations are not among them.
    ///
    /// - Parameter finding: the finding that has the part, which may be the part itself.
    func annotation(of part: JSON, _ finding: JSON, _ place: PixelPlace) -> [(name: String, value: JSON)] {
        // The box of the person includes what the mask shows.
        let owner = isWhole ? finding : part
        let (x, y) = (place.x(owner["x"]?.number ?? 0), place.y(owner["y"]?.number ?? 0))
        let (width, height) = (place.x(owner["width"]?.number ?? 0), place.y(owner["height"]?.number ?? 0))
        let pixels = Double(place.size.width) * Double(place.size.height)
        let area = owner["mask-area"]?.number.map { $0 * pixels } ?? width * height
        return [
            ("category_id", .integer(id)), ("bbox", .array([x, y, width, height].map { .number($0) })),
            ("area", .number(area.rounded(digits: 6))), ("iscrowd", .integer(0)),
            ("score", part["confidence"] ?? .null), ("track_id", owner["id"] ?? .null),
        ] + (field == nil ? [] : [("person_id", finding["id"] ?? .null)]) + points(of: part, place)
    }

    private func points(of part: JSON, _ place: PixelPlace) -> [(name: String, value: JSON)] {
        guard !keypoints.isEmpty else { return [] }
        let points = keypoints.map { Self.point(part.value(at: $0.path), place) }
        let count = points.count { $0.visibility > 0 }
        let numbers = points.flatMap { [JSON.number($0.x), .number($0.y), .integer($0.visibility)] }
        return [("keypoints", .array(numbers)), ("num_keypoints", .integer(count))]
    }

    /// Returns a keypoint in pixels: visible (2), uncertain (1), or outside of the frame or not found (0).
    private static func point(
        _ value: JSON?, _ place: PixelPlace
    ) -> (x: Double, y: Double, visibility: Int) {
        guard let numbers = value?.numbers, numbers.count == 3, (0...1).contains(numbers[0]),
            (0...1).contains(numbers[1])
        else { return (0, 0, 0) }
        return (place.x(numbers[0]), place.y(numbers[1]), numbers[2] >= visible ? 2 : 1)
    }
}

extension COCOCategory {
    /// COCO's 17 keypoints of people, in COCO's order, and its skeleton.
    static let person = COCOCategory(
        id: 1, name: "person",
        keypoints: joints(FindingPoints.body.filter { !["neck", "root"].contains($0) }),
        skeleton: [
            (16, 14), (14, 12), (17, 15), (15, 13), (12, 13), (6, 12), (7, 13), (6, 7), (6, 8), (7, 9),
            (8, 10),
            (9, 11), (2, 3), (1, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7),
        ])

    /// A face; each landmark is a keypoint.
    static func face(hasLandmarks: Bool) -> COCOCategory {
        COCOCategory(id: 2, name: "face", keypoints: hasLandmarks ? landmarks : [], skeleton: [])
    }

    /// A hand: the wrist, and four keypoints of each finger from its base to its tip.
    static let hand = COCOCategory(
        id: 3, name: "hand", keypoints: joints(FindingPoints.hand), skeleton: (0..<5).flatMap(finger))

    /// Returns the pairs of connected keypoints of a finger, counted from the thumb.
    private static func finger(_ number: Int) -> [(Int, Int)] {
        let base = 4 * number + 2
        return [(1, base), (base, base + 1), (base + 1, base + 2), (base + 2, base + 3)]
    }

    /// The categories of people with all their parts.
    static let people = [
        person.part("body", isWhole: true), face(hasLandmarks: false).part("face"), hand.part("hands"),
    ]

    private func part(_ field: String, isWhole: Bool = false) -> COCOCategory {
        COCOCategory(
            id: id, name: name, keypoints: keypoints, skeleton: skeleton, field: field, isWhole: isWhole)
    }

    private static func joints(_ names: [String]) -> [Keypoint] {
        names.map { ($0.columnName, [.field("joints"), .field($0)]) }
    }

    private static let landmarks: [Keypoint] = FindingPoints.faceRegions
        .filter { $0.name != FindingPoints.repeatedRegion }
        .flatMap { region, count in
            (0..<count).map { index in
                (
                    "\(region.columnName)_\(index)",
                    [.field("landmarks"), .field(region), .index(index)]
                )
            }
        }
}
