import Composer
import GStreamerKit
import Imaging
import PeopleVision

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

/// Finds the heads that `blendmask` hides in the metadata of its frames.
final class FrameHeads {
    private var found: [FoundHead] = []

    /// Returns the heads of a frame.
    ///
    /// - Parameter orientation: the orientation of the stream's frames.
    func find(in frame: borrowing VideoFrame, _ orientation: ImageOrientation) -> FoundHeads {
        let (info, isCropped) = (frame.info, frame.isCropped)
        let aspectRatio = info.displayAspectRatio
        let toStored = FrameTransform.orientation(orientation)
        let up = Point(x: -toStored.xy, y: -toStored.yy)
        found.removeAll(keepingCapacity: true)
        for (meta, list, kind) in StreamPeople.headLists {
            frame.forEach(meta) { fields in
                guard fields.isOfImage(info, isCropped, orientation) else { return }
                fields.forEach(list) { entry in
                    guard let part = PersonPart(kind, entry),
                        let place = HeadPlace(part, up: up, aspectRatio: aspectRatio)
                    else { return }
                    found.append(FoundHead(place, of: entry.person))
                }
            }
        }
        return FoundHeads(found, aspectRatio: aspectRatio, at: frame.presentationTime)
    }
}
