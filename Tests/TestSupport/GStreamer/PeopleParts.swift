import CGStreamer
import GStreamerKit

/// The entries of a frame's metadata that are parts of people, as another program reads them.
public struct PeopleParts {
    /// The lists.
    public enum List: String, CaseIterable, Sendable {
        case instances = "GstPeopleMask"
        case bodies = "GstPeopleBodies"
        case faces = "GstPeopleFaces"
        case hands = "GstPeopleHands"

        var field: StaticString {
            switch self {
            case .instances: "instances"
            case .bodies: "bodies"
            case .faces: "faces"
            case .hands: "hands"
            }
        }
    }

    /// An entry of a list.
    public struct Part: Sendable {
        /// Id of the entry.
        public let id: Int
        /// Centre of the entry's box, as a fraction of the frame's width.
        public let x: Double
        /// Person that the part belongs to; -1 for an unknown person, nil if the field is missing.
        public let person: Int?
        /// Ids of other parts of the person; nil if the entry has no such lists.
        public let faces, hands: [Int]?
        /// Id of an instance's body.
        public let body: Int?
        /// Id of the track in GStreamer's analytics metadata.
        public let track: UInt64?
    }

    /// The parts of the frame, from the left.
    public let parts: [Part]

    /// Reads the entries of a list; none if the frame does not have it.
    public init(_ frame: Frame, _ list: List) {
        var parts: [Part] = []
        GStreamer.BufferView(frame.buffer).fields(ofMeta: list.rawValue)?.forEach(list.field) { fields in
            parts.append(
                Part(
                    id: fields.int("id") ?? -1, x: fields.box?.center.x ?? 0, person: fields.int("person"),
                    faces: Self.numbers(fields, "faces"), hands: Self.numbers(fields, "hands"),
                    body: fields.int("body"), track: fields.identifier("track")))
        }
        self.parts = parts.sorted { $0.x < $1.x }
    }

    /// The people that the parts belong to, from the left.
    public var people: [Int?] { parts.map(\.person) }
    /// The ids of the parts, from the left.
    public var ids: [Int] { parts.map(\.id) }

    private static func numbers(_ fields: StructureReader, _ name: String) -> [Int]? {
        guard case .array(let items) = fields.value(named: name) else { return nil }
        return items.compactMap { if case .integer(let number) = $0 { number } else { nil } }
    }
}
