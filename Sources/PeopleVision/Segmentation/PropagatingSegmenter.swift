import Imaging

/// Computes masks of a file's frames, and moves them along with the image where the motion is slow.
final class PropagatingSegmenter: Segmenter {
    private let matting: MattingSegmenter
    private let propagation: MaskPropagation
    private let moved = FloatImage()
    /// The last frame's mask: `moved`, or the segmenter's own.
    private var mask: FloatImage

    var followsLast: Bool { matting.followsLast }

    init(_ matting: MattingSegmenter, _ limits: QualityProfile.Propagation) {
        self.matting = matting
        propagation = MaskPropagation(limits, matting.motion)
        mask = moved
    }

    func segment(_ frame: InputFrame, smoothing: Float) throws(VisionError) -> FloatImage {
        try matting.observe(frame)
        if !followsLast { propagation.reset() }
        if propagation.follows(people: matting.peopleCount) {
            propagation.write(into: moved)
            matting.adopt(moved)
            mask = moved
        } else {
            propagation.begin(at: frame.nanoseconds)
            mask = try matting.computeMask(frame, smoothing: smoothing)
            propagation.finish(mask)
        }
        return mask
    }

    func preparePeople(_ search: PersonSearch.Schedule?) { matting.preparePeople(search) }

    func people(of frame: InputFrame) throws(VisionError) -> SegmentedPeople { try matting.people(of: frame) }

    func waitForMattingModels() -> MattingModels? { matting.waitForMattingModels() }

    func reset() {
        matting.reset()
        propagation.reset()
    }
}
