import GStreamerKit
import Imaging
import PeopleVision

/// Writes into the metadata of a stream's frames which person each face, body, hand and instance mask belongs
/// to.
///
/// Each analyser does so with all metadata of a frame after it has added its own, so that the last one knows
/// most, whatever their order. Field names are API, listed in docs/metadata.md.
final class StreamPeople {
    private var association = PersonAssociation()
    private var lastTime: UInt64?
    /// The frame's parts of people, in the order of `lists`.
    private var parts: [PersonPart] = []
    /// The tracks of the parts in GStreamer's analytics metadata; nil for parts without a track.
    private var tracks: [UInt64?] = []

    /// Value of the field `person` for a part without a known person.
    private static let unknownPerson = -1

    /// The lists of metadata whose entries are parts of people.
    private static let lists: [(meta: CustomMeta, list: StaticString, kind: PersonPart.Kind)] = [
        (PeopleMaskMeta.kind, "instances", .outline), (PeopleBodiesMeta.kind, "bodies", .body),
        (PeopleFacesMeta.kind, "faces", .face), (PeopleHandsMeta.kind, "hands", .hand),
    ]

    /// The lists whose entries tell where heads are.
    static let headLists = lists.filter { $0.kind == .face || $0.kind == .body }

    /// Forgets everybody, because the next frame does not follow the last.
    func reset() {
        association.reset()
        lastTime = nil
    }

    /// Writes the person of each part into the metadata of `frame`; does nothing without instance masks of
    /// people and bodies.
    func write(to frame: borrowing VideoFrame) {
        let mask = frame.read(PeopleMaskMeta.kind).flatMap {
            $0.has("labels") && $0.has("instances") && PeopleMaskMeta.Subject(of: $0) == .people ? $0 : nil
        }
        guard let source = source(of: frame, hasOutlines: mask != nil) else { return }
        parts.removeAll(keepingCapacity: true)
        tracks.removeAll(keepingCapacity: true)
        for (meta, list, kind) in Self.lists where kind != .outline || mask != nil {
            frame.read(meta)?.forEach(list) { fields in
                guard let part = PersonPart(kind, fields) else { return }
                parts.append(part)
                tracks.append(fields.identifier("track"))
            }
        }
        let input = InputFrame(frame, .up)
        let seconds = input.seconds(since: lastTime)
        lastTime = frame.presentationTime
        PeopleMaskMeta.withLabels(of: mask) { labels in
            association.assign(
                parts, source: source, labels: labels, aspectRatio: frame.info.displayAspectRatio,
                after: seconds)
        }
        for (meta, list, kind) in Self.lists where kind != .outline || mask != nil {
            frame.edit(meta, list) { fields, editor in describe(kind, fields, editor) }
        }
        relate(source, in: frame)
    }

    /// Relates the same parts in GStreamer's analytics metadata: people contain their parts, and relate to
    /// other whole views of themselves.
    private func relate(_ source: PersonPart.Kind, in frame: borrowing VideoFrame) {
        for whole in parts.indices where parts[whole].kind == source {
            for part in parts.indices where parts[part].kind != source {
                guard let first = tracks[part], let second = tracks[whole] else { continue }
                let isSame = association.people[part] == association.people[whole]
                let isWhole = parts[part].kind == .outline || parts[part].kind == .body
                frame.relate(first, to: second, as: isSame ? isWhole ? .same : .part : .none)
            }
        }
    }

    /// Returns the kind of part that gives people their ids: bodies or outlines, whichever was attached
    /// first.
    private func source(of frame: borrowing VideoFrame, hasOutlines: Bool) -> PersonPart.Kind? {
        guard let bodies = frame.position(of: PeopleBodiesMeta.kind) else {
            return hasOutlines ? .outline : nil
        }
        guard hasOutlines, let mask = frame.position(of: PeopleMaskMeta.kind) else { return .body }
        return mask < bodies ? .outline : .body
    }

    /// Writes the person of an entry, and the ids of that person's other parts.
    private func describe(_ kind: PersonPart.Kind, _ fields: StructureReader, _ editor: StructureWriter) {
        let person = owner(of: kind, fields.int("id"))
        editor.set("person", person ?? Self.unknownPerson)
        switch kind {
        case .face, .hand: return
        case .outline: editor.set("body", ids(of: .body, person).first ?? Self.unknownPerson)
        case .body: break
        }
        editor.set("faces", integers: ids(of: .face, person))
        editor.set("hands", integers: ids(of: .hand, person))
    }

    private func owner(of kind: PersonPart.Kind, _ id: Int?) -> Int? {
        parts.firstIndex { $0.kind == kind && $0.id == id }.flatMap { association.people[$0] }
    }

    private func ids(of kind: PersonPart.Kind, _ person: Int?) -> [Int] {
        guard let person else { return [] }
        return parts.indices.filter { parts[$0].kind == kind && association.people[$0] == person }
            .map { parts[$0].id }
    }
}

extension PersonPart {
    /// Reads an entry of a list; nil if it has no id or box.
    init?(_ kind: Kind, _ fields: StructureReader) {
        guard let id = fields.int("id"), let box = fields.box else { return nil }
        self.init(
            kind, id: id, box: box, joints: Self.joints(kind, fields), label: fields.int("label") ?? 0)
    }

    /// Returns all joints of a body or hand; none if one is missing, which other programs may leave out.
    private static func joints(_ kind: Kind, _ fields: StructureReader) -> [Joint] {
        guard let joints = fields.structure("joints") else { return [] }
        let read = { (names: [String]) -> [Joint] in
            let found = names.compactMap { joints.point($0, 0) }
            return found.count == names.count ? found : []
        }
        switch kind {
        case .body: return read(HumanBodyPoseObservation.JointName.allCases.map(\.rawValue))
        case .hand: return read(HumanHandPoseObservation.JointName.allCases.map(\.rawValue))
        case .face, .outline: return []
        }
    }
}

extension StructureReader {
    /// The person of a metadata entry; nil if the person is unknown, or the field is missing.
    var person: Int? { int("person").flatMap { $0 < 0 ? nil : $0 } }
}
