import CGStreamer
import GStreamerKit

/// The entries of a frame's metadata that are parts of people, as another program sees them.
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
        /// Of the entry.
        public let id: Int
        /// The middle of its box, as a share of the frame's width.
        public let x: Double
        /// Whom it belongs to; -1 for nobody, nil where the field is missing.
        public let person: Int?
        /// Ids of other parts of the person, where the entry has such lists.
        public let faces, hands: [Int]?
        /// The body of an instance.
        public let body: Int?
        /// In GStreamer's analytics metadata.
        public let track: UInt64?
    }

    /// Of the frame, from the left.
    public let parts: [Part]

    /// The entries of a list; empty where a frame does not have it.
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

    /// Whom the parts belong to, from the left.
    public var people: [Int?] { parts.map(\.person) }
    /// Their ids, from the left.
    public var ids: [Int] { parts.map(\.id) }

    private static func numbers(_ fields: StructureReader, _ name: String) -> [Int]? {
        guard case .array(let items) = fields.value(named: name) else { return nil }
        return items.compactMap { if case .integer(let number) = $0 { number } else { nil } }
    }
}
