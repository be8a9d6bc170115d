import GStreamerKit
import Imaging

/// The `GstPeopleFraming` metadata: the part of a frame that `autoframe` shows.
///
/// Field names and units are API, listed in docs/metadata.md. Rectangles are fractions of the upright input.
struct PeopleFramingMeta {
    static let kind = CustomMeta("GstPeopleFraming")

    var shown = Rectangle.unit
    /// The part in the other half of the output; nil if the output shows one part.
    var second: Rectangle?
    /// The part that would be shown if the frame stood by itself; nil if nobody is seen.
    var wanted: Rectangle?
    /// The box around the heads that must be shown; nil if nobody is seen.
    var heads: Rectangle?
    /// The boxes around the heads of all people, and the distances between their lips in heights of the face, as far as these
    /// are known.
    var people: [(head: Rectangle, mouth: Double?)] = []
    /// Whether another scene begins.
    var isCut = false

    /// Attaches the description to a frame of the output.
    func attach(to frame: borrowing VideoFrame) {
        guard let fields = frame.attach(Self.kind) else { return }
        fields.set(box: shown)
        fields.set("cut", isCut)
        if let second { fields.set("second", structure: "second") { $0.set(box: second) } }
        fields.set("people", list: "head", count: people.count) { index, fields in
            fields.set(box: people[index].head)
            if let mouth = people[index].mouth { fields.set("mouth", mouth) }
        }
        if let wanted { fields.set("wanted", structure: "wanted") { $0.set(box: wanted) } }
        if let heads { fields.set("heads", structure: "heads") { $0.set(box: heads) } }
    }
}

extension StructureWriter {
    /// Writes a box.
    fileprivate func set(box: Rectangle) {
        set("x", box.x)
        set("y", box.y)
        set("width", box.width)
        set("height", box.height)
    }
}
