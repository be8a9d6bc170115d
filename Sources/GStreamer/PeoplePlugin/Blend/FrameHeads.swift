import Composer
import GStreamerKit
import Imaging
import PeopleVision

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
