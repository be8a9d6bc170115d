import CommandKit
import GStreamerKit
import Synchronization

/// The one person of a video who is kept: chosen by a place and a time, and followed from then on.
struct KeptPerson {
    let place: Place
    /// Seconds of the video, as a player shows them.
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
    func install(_ segment: GStreamer.Element, _ blend: GStreamer.Element) {
        segment.set("instance-masks", parsing: "true")
        // The maximum number of instance masks, so that the chosen person is among them.
        segment.set("max-instances", parsing: "12")
        // Ids in metadata have 32 bits, so this is no person's.
        blend.set("instances", to: "\(Int.max)")
        if let pad = blend.pad("sink") { PersonChoice(self).watch(pad) }
    }
}

/// Sets the person that a blendmask shows when the frame of the choice arrives.
///
/// Fails closed: before that frame all people are hidden, and where there is no person the video is not made.
private final class PersonChoice: Sendable {
    private let wanted: KeptPerson
    private let isMade = Mutex(false)

    init(_ wanted: KeptPerson) { self.wanted = wanted }

    /// Watches the frames that arrive at a blendmask.
    func watch(_ pad: GStreamer.Pad) {
        pad.onBuffer { [self] info in
            guard !isMade.withLock({ $0 }) else { return }
            choose(in: info)
        }
        pad.onEvent { [self] event, info in
            guard event.kind == .endOfStream, !isMade.withLock({ $0 }) else { return }
            fail(
                "The video ends before \(wanted.time.text(decimals: 2)) s, where --keep-at looks for a person.",
                info)
        }
    }

    private func choose(in info: GStreamer.ProbeInfo) {
        guard let buffer = info.buffer, let time = buffer.presentationTime,
            let shown = info.pad.segment?.streamTime(of: time).map({ Double($0) / 1e9 }), shown >= wanted.time
        else { return }
        isMade.withLock { $0 = true }
        let people = SeparatedPeople(of: buffer)
        if let person = people.person(at: wanted.place) {
            info.pad.element?.set("instances", to: "\(person.id)")
        } else {
            fail("Nobody is at \(wanted.place) at \(shown.text(decimals: 2)) s: \(people).", info)
        }
    }

    /// Ends the video with an error of the blendmask.
    private func fail(_ text: String, _ info: GStreamer.ProbeInfo) {
        isMade.withLock { $0 = true }
        info.pad.element?.post(ElementError(.streamWrongType, text))
    }
}
