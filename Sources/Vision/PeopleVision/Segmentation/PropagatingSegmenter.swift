import Imaging

/// Computes masks of a file's frames, and moves them along with the image where the motion is slow.
final class PropagatingSegmenter: Segmenter {
    private let matting: MattingSegmenter
    private let propagation: MaskPropagation
    private let moved = FloatImage()

    init(_ matting: MattingSegmenter, _ limits: MotionLimits) {
        self.matting = matting
        propagation = MaskPropagation(limits, matting.motion)
    }

    func segment(
        _ frame: InputFrame, smoothing: Float, withPeople: Bool
    ) throws(VisionError) -> Segmentation {
        try matting.observe(frame)
        if !matting.followsLast { propagation.reset() }
        if propagation.follows(people: matting.peopleCount) {
            propagation.write(into: moved)
            matting.adopt(moved)
            return try matting.segmentation(of: frame, as: moved, withPeople: withPeople)
        }
        propagation.begin(at: frame.nanoseconds)
        let mask = try matting.computeMask(frame, smoothing: smoothing)
        propagation.finish(mask)
        return try matting.segmentation(of: frame, as: mask, withPeople: withPeople)
    }

    func preparePeople(_ search: PersonSearch.Schedule?) { matting.preparePeople(search) }

    func waitForMattingModels() -> MattingModels? { matting.waitForMattingModels() }

    func reset() {
        matting.reset()
        propagation.reset()
    }
}
