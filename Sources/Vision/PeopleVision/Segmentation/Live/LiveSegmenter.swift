import Imaging

/// Keeps up with a stream whose frames come faster than a segmenter can compute their masks.
///
/// The segmenter works on a background thread, on one frame after another. Where it is fast enough, each
/// frame waits for its own mask. Otherwise the last mask moves along with the image. Frames get masks of the
/// fast level where too much of the motion has been lost, as when people swap places, and until the first
/// mask of a scene is ready.
final class LiveSegmenter: Segmenter {
    /// Duration of the cross-fade from the fast level's mask to a computed one, in frames.
    private static let fadeIn: Float = 4
    /// Share of the time from one frame to the next for which a frame waits for its mask.
    ///
    /// The rest is for this segmenter's other work, about 3 ms, and for the elements downstream.
    private static let waitingShare = 0.6
    /// Maximum of the wait in seconds, by which a flush or the end of the stream may be delayed.
    private static let usualMaximumWait = 0.5

    /// The wait of a frame for its own mask.
    enum Wait {
        /// No frame waits.
        case never
        /// Frames wait where the mask is ready in time.
        case briefly
        /// Frames wait as long as it takes, so that the results do not depend on timing.
        case always
    }

    private let limits: MotionLimits
    private let maximumWait: Double
    /// Whether each frame waits for the mask of the one before.
    private let isInStep: Bool
    private let fast: FastSegmenter
    private let background: BackgroundSegmentation
    private let motion = BlockMatcher()
    private let propagation: MaskPropagation
    /// Weight of the moving mask in the frame's mask, 0...1; the rest is that of the fast level's mask.
    private var weight: Float = 0
    private var framesSinceBegin = Int.max
    /// The time of the last frame, in nanoseconds of the stream.
    private var lastTime: UInt64?
    private var smoothing: Float = 0
    /// Whether frames may wait for their masks here; masks of frames that wait for others may come late.
    private var mayWait = true
    /// Whether the moving mask became ready with the last frame, and belongs to an earlier one.
    private var isLate = false
    private(set) var waitingTime = Duration.zero
    private let mask = FloatImage()
    private let resizer = LinearResizer()

    /// Creates a segmenter with masks of the size of `plan`.
    ///
    /// - Parameters:
    ///   - wait: whether frames wait for masks.
    ///   - make: loads the segmenter; runs on another thread.
    init(
        _ plan: SegmentationPlan, _ limits: MotionLimits, _ setup: SegmentationSetup,
        _ wait: Wait = .briefly, _ make: @escaping () throws(VisionError) -> any Segmenter
    ) throws(VisionError) {
        self.limits = limits
        isInStep = wait == .always
        maximumWait =
            switch wait {
            case .never: 0
            case .briefly: Self.usualMaximumWait
            case .always: .infinity
            }
        propagation = MaskPropagation(limits, motion)
        fast = try FastSegmenter(SegmentationPlan(.fast, size: plan.frame), setup)
        background = BackgroundSegmentation(make)
        mask.resize(width: plan.mask.width, height: plan.mask.height)
    }

    func waitForMattingModels() throws(VisionError) -> MattingModels? {
        try background.waitForSegmenter().waitForMattingModels()
    }

    func segment(
        _ frame: InputFrame, smoothing: Float, withPeople: Bool
    ) throws(VisionError) -> Segmentation {
        self.smoothing = smoothing
        (isLate, waitingTime) = (false, .zero)
        if frame.isStill { return try segmentInstead(frame, withPeople: withPeople) }
        if isInStep { _ = background.wait(atMost: .infinity) }
        let current = try fast.segment(frame, smoothing: smoothing, withPeople: false)
        if !current.followsLast { forget() }
        motion.follow(mask, to: fast.brightness)
        propagation.advance()
        let seconds = budget(of: frame)
        if !mayWait { waitingTime = background.waitIfNearlyDone(within: seconds) }
        if let finished = try background.takeMask() {
            propagation.finish(finished)
            isLate = true
        }
        let isOwn = try computeMask(of: frame, within: seconds)
        if isOwn, !current.followsLast {
            weight = 1
        } else {
            weight = isOwn || isFollowed ? min(1, weight + 1 / Self.fadeIn) : 0
        }
        compose(current.mask)
        // Each person's coverage must be that of this very frame.
        let people = withPeople ? try segmentInstead(frame, withPeople: true).people : nil
        return Segmentation(
            mask: mask, people: people, followsLast: current.followsLast,
            time: (weight > 0 ? propagation.time : nil) ?? frame.nanoseconds, isFallback: weight == 0)
    }

    func segmentAhead(
        _ frame: InputFrame, smoothing: Float, withPeople: Bool
    ) throws(VisionError) -> Segmentation {
        mayWait = false
        defer { mayWait = true }
        return try segmentNext(frame, smoothing: smoothing, withPeople: withPeople)
    }

    /// Segments `frame` on the thread that it arrives on; waits for the worker.
    ///
    /// A still image may take longer, and no frames after it could use its mask.
    private func segmentInstead(
        _ frame: InputFrame, withPeople: Bool
    ) throws(VisionError) -> Segmentation {
        try background.waitForSegmenter().segmentNext(frame, smoothing: smoothing, withPeople: withPeople)
    }

    /// Starts the mask of `frame` when the worker is free, and waits for it where that fits in the frame's
    /// time.
    ///
    /// - Parameter seconds: time for which the frame may wait.
    /// - Returns: whether the moving mask is now that of `frame`.
    private func computeMask(of frame: InputFrame, within seconds: Double) throws(VisionError) -> Bool {
        let usual = background.usualTime
        let waits = mayWait && usual.map { $0 <= seconds } ?? false
        guard begin(frame, everyFrame: waits || !mayWait), waits, background.wait(atMost: seconds),
            let finished = try background.takeMask()
        else { return false }
        propagation.finish(finished)
        return true
    }

    /// Returns the number of seconds for which `frame` may wait.
    private func budget(of frame: InputFrame) -> Double {
        defer { lastTime = frame.nanoseconds }
        return min(maximumWait, Self.waitingShare * frame.seconds(since: lastTime))
    }

    /// Whether the motion since the last computed mask has been found along its edges.
    ///
    /// A mask that would soon be lost again is not used, because a change between levels is visible.
    private var isFollowed: Bool {
        propagation.hasMask && propagation.lost <= (weight > 0 ? 1 : 0.5) * limits.lost
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

    /// Begins the mask of `frame` when the worker is free.
    ///
    /// - Parameter everyFrame: whether each frame has a mask of its own; otherwise some do not, as in files.
    /// - Returns: whether it was begun.
    private func begin(_ frame: InputFrame, everyFrame: Bool) -> Bool {
        guard !background.isBusy, everyFrame || framesSinceBegin >= limits.frames else {
            if framesSinceBegin < .max { framesSinceBegin += 1 }
            return false
        }
        framesSinceBegin = 0
        propagation.begin(at: frame.nanoseconds)
        background.begin(frame, smoothing: smoothing)
        return true
    }

    var lateMask: LateMask? {
        guard isLate, let time = propagation.time else { return nil }
        return LateMask(mask: propagation.computedMask, time: time)
    }

    func preparePeople(_ search: PersonSearch.Schedule?) throws(VisionError) {
        try background.waitForSegmenter().preparePeople(search)
    }

    func reset() {
        isLate = false
        fast.reset()
        forget()
    }

    private func forget() {
        weight = 0
        propagation.reset()
        background.reset()
    }
}
