import CommandKit
import GStreamerKit
import Imaging
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

/// The people of one frame with all their parts, from the metadata of `personsegment`, `bodypose`, `facepose`
/// and `handpose`.
struct PeopleListing {
    /// A person, or a part without a known person.
    fileprivate struct Entry {
        let id: Int?
        /// The person's box, from the part that shows most.
        var box: Rectangle?
        var fields: [(name: String, value: JSON)] = []
        var hands: [JSON] = []
    }

    private var entries: [Entry] = []

    /// Reads the metadata of a frame.
    init(of buffer: GStreamer.BufferView?) {
        let mask = buffer?.fields(ofMeta: "GstPeopleMask")
        mask?.forEach("instances") { instance in
            guard let box = instance.box else { return }
            add(instance) { entry in
                entry.box = box
                entry.fields.append(
                    ("mask-area", Self.area(of: instance, in: mask).map { .number($0) } ?? .null))
            }
        }
        // The box of the body is that of the whole person.
        for (meta, list, name) in [
            ("GstPeopleBodies", "bodies" as StaticString, "body"), ("GstPeopleFaces", "faces", "face"),
            ("GstPeopleHands", "hands", "hand"),
        ] {
            buffer?.fields(ofMeta: meta)?.forEach(list) { part in
                add(part) { entry in
                    entry.box = entry.box ?? part.box
                    if name == "hand" {
                        entry.hands.append(Self.json(part))
                    } else {
                        entry.fields.append((name, Self.json(part)))
                    }
                }
            }
        }
    }

    /// The people in the order of their ids, then the parts without a known person, whose id is null.
    var json: JSON {
        let people = entries.filter { $0.id != nil }.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
        return .array((people + entries.filter { $0.id == nil }).map { $0.json })
    }

    /// Adds a part to the entry of its person.
    private mutating func add(_ part: StructureReader, _ change: (inout Entry) -> Void) {
        let person = part.int("person").flatMap { $0 < 0 ? nil : $0 }
        if let person, let index = entries.firstIndex(where: { $0.id == person }) {
            change(&entries[index])
            return
        }
        var entry = Entry(id: person)
        change(&entry)
        entries.append(entry)
    }

    /// The fields by which metadata refer to each other.
    static let references: Set<String> = ["person", "faces", "hands"]

    private static func json(_ part: StructureReader) -> JSON {
        JSON(part.fields.filter { !references.contains($0.name) }, pointLists: [])
    }

    /// Returns the fraction of the frame that an instance covers; nil when its mask contradicts its fields.
    private static func area(of instance: StructureReader, in mask: StructureReader?) -> Double? {
        guard let width = mask?.int("width"), let height = mask?.int("height"),
            let stride = mask?.int("stride"),
            width > 0, height > 0, stride >= width
        else { return nil }
        return instance.withBytes("mask") { bytes -> Double? in
            guard bytes.count >= stride * (height - 1) + width else { return nil }
            var sum = 0
            for y in 0..<height {
                for x in 0..<width { sum += Int(bytes[y * stride + x]) }
            }
            return Double(sum) / (255 * Double(width) * Double(height))
        } ?? nil
    }
}

extension PeopleListing.Entry {
    fileprivate var json: JSON {
        let box = box.map {
            [
                ("x", JSON.number($0.x)), ("y", .number($0.y)), ("width", .number($0.width)),
                ("height", .number($0.height)),
            ]
        }
        return .object(
            [("id", id.map { .integer($0) } ?? .null)] + (box ?? []) + fields + [("hands", .array(hands))])
    }
}
