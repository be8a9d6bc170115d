import COBS
import Composer
import Framing
import Imaging

/// The part of a source's frames that follows the people, at the size of the frames.
///
/// It is cut out of frames that are composed, so that it shows nothing that they hide.
final class FollowedPicture {
    private var space = ShotSpace(frameAspect: 1, outputAspect: 1)
    private var path = LivePath(in: ShotSpace(frameAspect: 1, outputAspect: 1))
    private var choice = PersonChoice()
    private var company = Company()
    /// The part of the upright frame that is shown.
    private var crop = Rectangle.unit
    private var lastTime: UInt64?
    private let scaler = ImageScaler()
    private let frames = OutputFrames()
    private let row = FloatImage()

    /// Begins again with whole frames, since the next frame does not follow the last.
    func restart() {
        crop = .unit
        path.cut()
        choice.restart()
        company.restart()
        lastTime = nil
    }

    /// Releases the frames, once the source does not point to them any more.
    func clear() {
        frames.clear()
        restart()
    }

    // MARK: - People

    /// Returns the people in the masks of a frame, by their outlines; one for all, if they are not separated.
    ///
    /// - Parameter isShown: tells whether the frame shows a person with an id.
    func people(in masks: FrameMasks, of image: SourceImage, isShown: (Int) -> Bool) -> [FramedPerson] {
        guard let instances = masks.instances else {
            return masks.withMask { person(nil, $0, in: image) }.flatMap { $0 }.map { [$0] } ?? []
        }
        return instances.compactMap { instance in
            guard let id = instance.id, isShown(id) else { return nil }
            return masks.withMask(of: instance) { person(id, $0, in: image) } ?? nil
        }
    }

    private func person(_ id: Int?, _ mask: MaskView, in image: SourceImage) -> FramedPerson? {
        guard let outline = MaskOutline(mask, row: row),
            let upright = FrameTransform.orientation(image.orientation).inverse
        else { return nil }
        let space = ShotSpace(image)
        let box = space.inHeights(upright.map(outline.box))
        // The lower end of a person whose frame is stored from below tells nothing of the head.
        let top = image.orientation == .up ? outline.top * space.frameAspect : box.center.x
        let person = FramedPerson(id: id, outline: box, top: top)
        return person.isUsable ? person : nil
    }

    // MARK: - The part

    /// Follows the people of a frame.
    ///
    /// - Parameter time: the frame's, in nanoseconds.
    func follow(_ people: [FramedPerson], _ settings: ShotSettings, in image: SourceImage, at time: UInt64?) {
        let space = ShotSpace(image)
        if space != self.space { (self.space, path) = (space, LivePath(in: space)) }
        let seconds = seconds(until: time)
        let chosen = choice.choose(
            among: people, .anybody, after: seconds, frameAspect: space.frameAspect)
        let members = company.members(
            of: people.filter { $0 != chosen }, beside: chosen, after: seconds)
        let others = settings.framing == .everyone ? members : []
        let wanted = WantedShot(of: (chosen.map { [$0] } ?? []) + others, settings, in: space)
        crop = space.crop(path.shot(for: wanted, settings, after: seconds))
    }

    /// Returns the time since the last frame.
    private func seconds(until time: UInt64?) -> Double {
        defer { lastTime = time }
        guard let time, let lastTime, time >= lastTime else { return 0 }
        return Double(time - lastTime) / 1e9
    }

    /// Returns a frame with the part of a composed one, to be given to the source; nil where the part is all of it, or where
    /// there is no memory.
    func part(of frame: SourceFrame) -> SourceFrame? {
        guard crop != .unit, let image = SourceImage(frame),
            let output = frames.next(image.kind.stored, like: frame), let target = SourceImage(output)
        else { return nil }
        scaler.scale(
            FrameTransform.orientation(image.orientation).map(crop), of: ImageView(image.view),
            into: target.view)
        return frames.give(output)
    }
}

extension ShotSpace {
    /// The shots inside of a source's frames, which have square pixels and keep their shape.
    fileprivate init(_ image: SourceImage) {
        let aspect = Double(image.view.width) / Double(max(1, image.view.height))
        self.init(frameAspect: aspect, outputAspect: aspect)
    }
}
