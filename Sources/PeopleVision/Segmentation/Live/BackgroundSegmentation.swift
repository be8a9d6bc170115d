import Imaging

/// Runs a segmenter beside the thread that the frames come on, for one frame at a time.
final class BackgroundSegmentation {
    /// What the worker uses; nothing else does while it is busy.
    private final class Work: @unchecked Sendable {
        private enum Loading {
            case needed(() throws(VisionError) -> any Segmenter)
            case done(any Segmenter)
        }

        private var loading: Loading
        let picture = ImageCopy()
        var orientation = ImageOrientation.up
        var smoothing: Float = 0
        /// Whether the frame follows the last one.
        var follows = true
        var result: Result<FloatImage, VisionError>?
        /// What a frame usually takes, in seconds: a mean of the last ones, loading aside; nil before the first.
        var usualTime: Double?

        init(_ make: @escaping () throws(VisionError) -> any Segmenter) { loading = .needed(make) }

        func segmenter() throws(VisionError) -> any Segmenter {
            switch loading {
            case .done(let segmenter): return segmenter
            case .needed(let make):
                let segmenter = try make()
                loading = .done(segmenter)
                return segmenter
            }
        }

        func run() {
            guard let image = picture.view else { return }
            do throws(VisionError) {
                let segmenter = try segmenter()
                if !follows { segmenter.reset() }
                let start = ContinuousClock.now
                defer { note((ContinuousClock.now - start) / .seconds(1)) }
                let frame = InputFrame(image, orientation: orientation)
                result = .success(try segmenter.segment(frame, smoothing: smoothing))
            } catch { result = .failure(error) }
        }

        private func note(_ time: Double) {
            // The mean of about four: a change of scene or load shows within a second.
            usualTime = usualTime.map { $0 + (time - $0) / 4 } ?? time
        }
    }

    /// On busy cores the stream's own thread comes first: at a niceness of 2 Linux gives the worker two thirds of its weight.
    ///
    /// With 5 no more frames are in time, and fewer masks are.
    private static let niceness: Int32 = 2

    private let work: Work
    private let worker: Worker
    /// Whether the frame that was begun last belongs to another scene than the next.
    private var isStale = false

    /// Segments with what `make` loads, which is done by the worker, too.
    init(_ make: @escaping () throws(VisionError) -> any Segmenter) {
        let work = Work(make)
        self.work = work
        worker = Worker(niceness: Self.niceness) { work.run() }
    }

    /// Whether a frame is being worked on.
    var isBusy: Bool { worker.isBusy }

    /// What a frame usually takes, in seconds; nil before the first, and while one is being worked on.
    var usualTime: Double? { worker.isBusy ? nil : work.usualTime }

    /// Begins to segment a copy of `frame`; not while it is busy.
    func begin(_ frame: InputFrame, smoothing: Float) {
        work.picture.take(frame.image)
        (work.orientation, work.smoothing) = (frame.orientation, smoothing)
        (work.follows, work.result) = (!isStale, nil)
        isStale = false
        worker.begin()
    }

    /// The mask of the frame that was begun last, once; valid until the next one is begun.
    ///
    /// - Returns: nil while it is being worked on, and for a frame of another scene.
    func takeMask() throws(VisionError) -> FloatImage? {
        guard !worker.isBusy, let result = work.result else { return nil }
        work.result = nil
        return isStale ? nil : try result.get()
    }

    /// Waits for the frame that was begun last, for `seconds` at most.
    ///
    /// - Returns: whether its mask is there.
    func wait(atMost seconds: Double) -> Bool { worker.wait(atMost: seconds) }

    /// The segmenter, for use until the next frame is begun; waits until none is being worked on.
    func waitForSegmenter() throws(VisionError) -> any Segmenter {
        worker.wait()
        work.result = nil
        return try work.segmenter()
    }

    /// The next frame does not follow the last.
    func reset() { isStale = true }
}
