import Imaging

/// Keeps up with a stream whose frames come faster than a segmenter can make masks of them.
///
/// That segmenter works beside the stream, on one frame after another. Meanwhile its last mask moves along with the
/// picture. Where too much of the motion has been lost, as when people swap places, and until the first mask of a scene is
/// there, frames get masks of the fast level.
final class LiveSegmenter: Segmenter {
    /// Frames of the cross-fade from the fast level's mask to one that was made beside the stream.
    private static let fadeIn: Float = 4

    private let limits: QualityProfile.Propagation
    private let fast: FastSegmenter
    private let background: BackgroundSegmentation
    private let matcher = BlockMatcher()
    /// The last mask that was made beside the stream.
    private var made = MovingMask()
    /// Whether `made` is of this scene.
    private var hasMade = false
    /// The weight of `made` in the mask, 0...1; the rest is that of the fast level's.
    private var weight: Float = 0
    /// The mask that is being made.
    private var next = MovingMask()
    private var framesSinceBegin = Int.max
    private var smoothing: Float = 0
    private let mask = FloatImage()
    private let resizer = LinearResizer()

    var maskTime: UInt64? { weight > 0 ? made.time : nil }

    /// Masks of the size that `plan` says.
    ///
    /// - Parameter make: loads the segmenter; runs on another thread.
    init(
        _ plan: SegmentationPlan, _ limits: QualityProfile.Propagation, _ setup: SegmentationSetup,
        _ make: @escaping () throws(VisionError) -> any Segmenter
    ) throws(VisionError) {
        self.limits = limits
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
        follow(fast.brightness)
        try takeMask()
        weight = isFollowed ? min(1, weight + 1 / Self.fadeIn) : 0
        compose(current)
        begin(frame)
        return mask
    }

    /// Finds the motion from the last frame to this one.
    private func follow(_ brightness: FloatImage) {
        matcher.advance(to: brightness)
        _ = matcher.match(alongEdgesOf: mask)
        made.follow(matcher.motion)
        next.follow(matcher.motion)
    }

    /// Whether the motion since the last mask that was made has been found along its edges.
    ///
    /// A mask that would soon be lost again is not taken up: going from one level to the other shows.
    private var isFollowed: Bool {
        guard hasMade else { return false }
        return matcher.meanAlongEdges(made.lost) <= (weight > 0 ? 1 : 0.5) * limits.mostLost
    }

    /// Takes over the mask that has been made beside the stream, if there is a new one.
    private func takeMask() throws(VisionError) {
        guard let finished = try background.takeMask() else { return }
        next.finish(finished)
        swap(&made, &next)
        hasMade = true
    }

    private func compose(_ current: FloatImage) {
        guard weight > 0 else { return resizer.resize(current, into: mask) }
        made.write(into: mask)
        guard weight < 1 else { return }
        resizer.begin(current, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            let (row, other) = (mask.row(y), resizer.row(y, of: current))
            for x in 0..<mask.width { row[x] = other[x] + weight * (row[x] - other[x]) }
        }
    }

    /// Lets the next mask be made, of this frame; as in files, some frames have none of their own.
    private func begin(_ frame: InputFrame) {
        guard !background.isBusy, framesSinceBegin >= limits.mostFrames else {
            if framesSinceBegin < .max { framesSinceBegin += 1 }
            return
        }
        framesSinceBegin = 0
        next.begin(after: matcher.motion, time: frame.time)
        background.begin(frame, smoothing: smoothing)
    }

    func preparePeople() throws(VisionError) { try background.waitForSegmenter().preparePeople() }

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
        (hasMade, weight) = (false, 0)
        background.reset()
    }
}
