import Composer
import GStreamerKit

extension BlendMaskElement {
    /// Removes the mask, and metadata about people whom the frame does not show.
    func takeMaskOff(_ frame: borrowing VideoFrame, hasFault: Bool) {
        defer { frame.remove(PeopleMaskMeta.kind) }
        // A frame with a fault is covered, or passes as it is.
        if hasFault, composer.settings.noMask == .pass { return }
        let selects = composer.hidesPeople
        guard hasFault || selects || composer.settings.inverts else { return }
        frame.removeDescriptions()
        frame.remove(PeopleDepthMeta.kind)
        guard selects else { return }
        for (kind, list) in findingsLists {
            frame.keep(kind, list) { entry in
                entry.person.map { !hasFault && composer.shows($0) } ?? false
            }
        }
        guard !hasFault, case .success(let mask) = PeopleMaskMeta.newestMask(of: frame, limits) else {
            return
        }
        let tracks = tracks(in: frame)
        for person in mask.instances ?? [] {
            guard let id = person.id, composer.shows(id) else { continue }
            mask.attachRegion(of: person, to: frame, tracks)
        }
    }
}
