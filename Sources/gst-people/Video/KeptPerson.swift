import CGStreamer
import CommandKit

/// Who is kept of a film's people: the one at a place at a time, who is followed from then on.
struct KeptPerson {
    let place: Place
    /// Seconds of the film, as a player shows them.
    let time: Double

    /// Reads `X,Y@T`; without `@T` the person is chosen in the first frame.
    init(_ text: String) throws(ToolError) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        place = try Place(parts.first ?? "", of: "keep-at")
        // More seconds than that do not fit GStreamer's clock.
        time = parts.count > 1 ? try number(parts[1], in: 0...1e9, of: "keep-at") : 0
    }

    /// Makes `personsegment ! blendmask` show this person only.
    func install(_ segment: Element, _ blend: Element) {
        set(segment, "instances", "true")
        // The most that can be told apart: the person who is meant has to be among them.
        set(segment, "max-instances", "12")
        guard let pad = gst_element_get_static_pad(blend, "sink") else { return }
        PersonChoice(self, blend, pad).watch()
        gst_object_unref(pad)
    }
}

/// Tells a blendmask whom to show, once the frame has come that shows who it is.
///
/// Fails closed: before that frame all people are hidden, and where there is no person the film is not made.
private final class PersonChoice: @unchecked Sendable {
    // Only the streaming thread uses it; the pad belongs to the element, and the probes to the pad.
    private let wanted: KeptPerson
    private let blend: Element
    private let pad: Pad
    private var isMade = false

    init(_ wanted: KeptPerson, _ blend: Element, _ pad: Pad) {
        (self.wanted, self.blend, self.pad) = (wanted, blend, pad)
    }

    func watch() {
        // Ids in metadata have 32 bits, so this is no person's.
        set(blend, "instances", text: "\(Int.max)")
        onBuffer(pad) { [self] info in
            guard !isMade, let buffer = info.pointee.data?.assumingMemoryBound(to: GstBuffer.self) else {
                return
            }
            choose(in: buffer)
        }
        onProbe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [self] info in
            let event = info.pointee.data?.assumingMemoryBound(to: GstEvent.self)
            if !isMade, let event, people_event_type(event) == GST_EVENT_EOS {
                fail(
                    "The video ends before \(wanted.time.text(decimals: 2)) s, where --keep-at looks for a person."
                )
            }
            return GST_PAD_PROBE_OK
        }
    }

    private func choose(in buffer: UnsafeMutablePointer<GstBuffer>) {
        guard buffer.pointee.pts != .max, let shown = StreamTime.of(buffer.pointee.pts, at: pad) else {
            return
        }
        let time = Double(shown) / 1e9
        guard time >= wanted.time else { return }
        isMade = true
        let people = SeparatedPeople(of: buffer)
        if let person = people.person(at: wanted.place) {
            set(blend, "instances", text: "\(person.id)")
        } else {
            fail("Nobody is at \(wanted.place) at \(time.text(decimals: 2)) s: \(people).")
        }
    }

    /// Ends the film with an error.
    private func fail(_ text: String) {
        isMade = true
        gst_element_message_full(
            blend, GST_MESSAGE_ERROR, gst_stream_error_quark(), gint(GST_STREAM_ERROR_WRONG_TYPE.rawValue),
            g_strdup(text), nil, #fileID, #function, #line)
    }
}
