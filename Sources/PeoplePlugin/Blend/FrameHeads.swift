import GStreamerKit
import Imaging
import PeopleSettings
import PeopleVision

/// Finds the heads that `blendmask` hides in the metadata of its frames.
final class FrameHeads {
    /// Composes the heads; another one composes the frame.
    let compositor = MaskCompositor()
    private let cover = HeadCover()
    private var found: [FoundHead] = []

    /// Radius of the largest hidden head of the last mask, in frame heights.
    var largestRadius: Double { cover.largestRadius }

    /// Begins a stream, whose ids are its own.
    ///
    /// - Throws: when a property is malformed.
    func start(_ settings: BlendSettings) throws(MalformedProperty) { try cover.start(settings) }

    /// Reads the properties if they have changed.
    ///
    /// - Throws: once, when a property has become malformed; the previous choice stays.
    func follow(_ settings: BlendSettings) throws(MalformedProperty) { try cover.follow(settings) }

    /// Handles a frame that does not follow the last one.
    func interrupt() { cover.interrupt() }

    /// Begins an image that shares nothing with those before it.
    func beginScene() { cover.beginScene() }

    /// Returns the mask of the heads to be hidden, valid until the next call; nil when the memory of a mask
    /// contradicts its fields.
    ///
    /// - Parameter orientation: the orientation of the stream's frames.
    func mask(
        of frame: borrowing VideoFrame, _ mask: PeopleMaskMeta.Reader, _ orientation: ImageOrientation
    ) -> MaskView? {
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
        return cover.mask(of: mask, found, aspectRatio: aspectRatio, at: frame.presentationTime)
    }
}

extension HeadPlace {
    /// Finds the head of a face or body.
    fileprivate init?(_ part: PersonPart, up: Point, aspectRatio: Double) {
        switch part.kind {
        case .face: self.init(face: part.box, up: up, aspectRatio: aspectRatio)
        case .body: self.init(joints: part.joints, aspectRatio: aspectRatio)
        case .outline, .hand: return nil
        }
    }
}
