package import Imaging
import Threads

/// Runs a segmenter beside the thread that the frames arrive on, for one frame at a time.
package final class BackgroundSegmentation {
    /// State of the worker; no other thread uses it while the worker is busy.
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
        /// The usual time of a frame, without loading.
        var usualTime = UsualTime()

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
                defer { usualTime.add(since: start) }
                let frame = InputFrame(image, orientation: orientation)
                result = .success(
                    try segmenter.segment(frame, smoothing: smoothing, withPeople: false).mask)
            } catch { result = .failure(error) }
        }
    }

    /// Niceness of the worker: on busy cores the stream's own thread comes first.
    ///
    /// At a niceness of 2, Linux gives the worker two thirds of the stream's weight. With 5 no more frames
    /// are in time, and fewer masks are.
    package static let niceness: Int32 = 2

    private let work: Work
    private let worker: Worker
    /// Whether the frame begun last belongs to another scene than the next frame.
    private var isStale = false
    /// The time at which the frame begun last is likely to be done; nil if unknown.
    private var expectedEnd: ContinuousClock.Instant?

    /// Creates a segmentation with the segmenter that `make` loads; the worker does the loading too.
    ///
    /// - Parameter niceness: niceness of the worker, and of the threads of models that it loads.
    package init(
        niceness: Int32 = niceness, _ make: @escaping () throws(VisionError) -> any Segmenter
    ) {
        let work = Work(make)
        self.work = work
        worker = Worker(niceness: niceness) { work.run() }
    }

    /// Whether a frame is being segmented.
    package var isBusy: Bool { worker.isBusy }

    /// The usual time of a frame, in seconds; nil before the first, and while a frame is being segmented.
    var usualTime: Double? { worker.isBusy ? nil : work.usualTime.seconds }

    /// Begins to segment a copy of `frame`; must not be called while it is busy.
    package func begin(_ frame: InputFrame, smoothing: Float) {
        work.picture.take(frame.image)
        (work.orientation, work.smoothing) = (frame.orientation, smoothing)
        (work.follows, work.result) = (!isStale, nil)
        isStale = false
        expectedEnd = work.usualTime.seconds.map { .now + .seconds($0) }
        worker.begin()
    }

    /// Returns the mask of the frame begun last, once; valid until the next one is begun.
    ///
    /// - Returns: nil while the frame is being segmented, and for a frame of another scene.
    package func takeMask() throws(VisionError) -> FloatImage? {
        guard !worker.isBusy, let result = work.result else { return nil }
        work.result = nil
        return isStale ? nil : try result.get()
    }

    /// Waits for the frame begun last, for `seconds` at most.
    ///
    /// - Returns: whether its mask is ready.
    package func wait(atMost seconds: Double) -> Bool { worker.wait(atMost: seconds) }

    /// Waits for the frame begun last, for `seconds` at most, if it is likely to be done within that time.
    ///
    /// A frame that has taken so much longer than usual is not waited for.
    ///
    /// - Returns: the time that it waited.
    package func waitIfNearlyDone(within seconds: Double) -> Duration {
        let start = ContinuousClock.now
        guard let expectedEnd, abs((expectedEnd - start) / .seconds(1)) <= seconds else { return .zero }
        _ = wait(atMost: seconds)
        return .now - start
    }

    /// Returns the segmenter, for use until the next frame is begun; waits until no frame is being segmented.
    func waitForSegmenter() throws(VisionError) -> any Segmenter {
        worker.wait()
        work.result = nil
        return try work.segmenter()
    }

    /// Discards the frame in progress, as the next frame does not follow the last.
    func reset() { isStale = true }
}

/// The usual time of repeated work, in seconds: a mean of about four times, so that a change of scene or load shows soon.
struct UsualTime {
    /// The mean; nil before the first time.
    private(set) var seconds: Double?

    /// Adds the time since `start`.
    mutating func add(since start: ContinuousClock.Instant) {
        let time = (ContinuousClock.now - start) / .seconds(1)
        seconds = seconds.map { $0 + (time - $0) / 4 } ?? time
    }
}
