import Imaging

/// Keeps up with a stream whose frames come faster than a segmenter can compute their masks.
///
/// That segmenter works on a background thread, on one frame after another. Meanwhile its last mask moves along with the
/// image. Where too much of the motion has been lost, as when people swap places, and until the first mask of a scene is
/// there, frames get masks of the fast level.
final class LiveSegmenter: Segmenter {
    /// Frames of the cross-fade from the fast level's mask to a computed one.
    private static let fadeIn: Float = 4

    private let limits: QualityProfile.Propagation
    private let fast: FastSegmenter
    private let background: BackgroundSegmentation
    private let motion = BlockMatcher()
    private let propagation: MaskPropagation
    /// The weight of the moving mask in the frame's, 0...1; the rest is that of the fast level's.
    private var weight: Float = 0
    private var framesSinceBegin = Int.max
    private var smoothing: Float = 0
    private let mask = FloatImage()
    private let resizer = LinearResizer()

    var followsLast: Bool { fast.followsLast }
    var maskTime: UInt64? { weight > 0 ? propagation.time : nil }

    /// Masks of the size that `plan` says.
    ///
    /// - Parameter make: loads the segmenter; runs on another thread.
    init(
        _ plan: SegmentationPlan, _ limits: QualityProfile.Propagation, _ setup: SegmentationSetup,
        _ make: @escaping () throws(VisionError) -> any Segmenter
    ) throws(VisionError) {
        self.limits = limits
        propagation = MaskPropagation(limits, motion)
        fast = try FastSegmenter(SegmentationPlan(.fast, size: plan.frame), setup)
        background = BackgroundSegmentation(make)
        mask.resize(width: plan.mask.width, height: plan.mask.height)
    }

    func waitForMattingModels() throws(VisionError) -> MattingModels? {
        try background.waitForSegmenter().waitForMattingModels()
    }

    func segment(_ frame: InputFrame, smoothing: Float) throws(VisionError) -> FloatImage {
        self.smoothing = smoothing
        let current = try fast.segment(frame, smoothing: smoothing)
        if !fast.followsLast { forget() }
        motion.follow(mask, to: fast.brightness)
        propagation.advance()
        if let finished = try background.takeMask() { propagation.finish(finished) }
        weight = isFollowed ? min(1, weight + 1 / Self.fadeIn) : 0
        compose(current)
        begin(frame)
        return mask
    }

    /// Whether the motion since the last computed mask has been found along its edges.
    ///
    /// A mask that would soon be lost again is not taken up: going from one level to the other shows.
    private var isFollowed: Bool {
        propagation.hasMask && propagation.lost <= (weight > 0 ? 1 : 0.5) * limits.maximumLost
    }

    private func compose(_ current: FloatImage) {
        guard weight > 0 else { return resizer.resize(current, into: mask) }
        propagation.write(into: mask)
        guard weight < 1 else { return }
        resizer.begin(current, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            let (row, other) = (mask.row(y), resizer.row(y, of: current))
            for x in 0..<mask.width { row[x] = other[x] + weight * (row[x] - other[x]) }
        }
    }

    /// Lets the next mask be computed, of this frame; as in files, some frames have none of their own.
    private func begin(_ frame: InputFrame) {
        guard !background.isBusy, framesSinceBegin >= limits.maximumFrames else {
            if framesSinceBegin < .max { framesSinceBegin += 1 }
            return
        }
        framesSinceBegin = 0
        propagation.begin(at: frame.time)
        background.begin(frame, smoothing: smoothing)
    }

    func preparePeople(_ search: PersonSearch.Schedule?) throws(VisionError) {
        try background.waitForSegmenter().preparePeople(search)
    }

    /// Waits: each person's coverage is that of the very frame.
    func people(of frame: InputFrame) throws(VisionError) -> SegmentedPeople {
        let segmenter = try background.waitForSegmenter()
        _ = try segmenter.segment(frame, smoothing: smoothing)
        return try segmenter.people(of: frame)
    }

    func reset() {
        fast.reset()
        forget()
    }

    private func forget() {
        weight = 0
        propagation.reset()
        background.reset()
    }
}
