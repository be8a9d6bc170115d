import GStreamerKit
import Imaging
import JSON

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
