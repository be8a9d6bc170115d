import Composer
import Imaging
import PeopleSettings
import PeopleVision
import Threads

/// The analysis of a source's frames, whose models are loaded on a thread of its own.
///
/// A change of level goes on with the old models until the new ones are loaded. Frames of another size wait
/// for theirs.
final class SourceAnalysis {
    /// The settings and the frames that decide which models are loaded.
    private struct Wanted: Equatable {
        var settings = PersonSegmentSettings()
        let width: Int
        let height: Int
        let orientation: ImageOrientation

        init(_ settings: PersonSegmentSettings, _ image: SourceImage) {
            (width, height, orientation) = (image.view.width, image.view.height, image.orientation)
            self.settings.passesAtOnce = settings.passesAtOnce
            self.settings.take(modelsOf: settings)
        }

        func hasSameFrames(as other: Wanted) -> Bool {
            width == other.width && height == other.height && orientation == other.orientation
        }
    }

    /// The use of a request.
    enum State {
        /// - Parameter separates: whether the request makes a mask of each person.
        case ready(any MaskRequest, separates: Bool)
        case loading
        case failed(VisionError)
    }

    private typealias Analysis = PersonSegmentSettings.Analysis
    private var current: (wanted: Wanted, analysis: Analysis)?
    /// The models that could not be loaded, and the number of the settings for which that was tried.
    private var failed: (wanted: Wanted, attempt: Int, error: VisionError)?
    private var applied: (settings: PersonSegmentSettings, request: any MaskRequest)?
    private let work: Work
    private let worker: Worker

    init() {
        let work = Work()
        self.work = work
        worker = Worker { work.run() }
    }

    /// Returns the request for a frame.
    ///
    /// - Parameter attempt: number of the settings; what could not be loaded is tried again with new ones.
    func request(for image: SourceImage, _ settings: PersonSegmentSettings, attempt: Int) -> State {
        let wanted = Wanted(settings, image)
        takeLoaded(attempt)
        if let failed, failed.wanted == wanted, failed.attempt == attempt { return .failed(failed.error) }
        if current?.wanted != wanted, !worker.isBusy {
            (work.wanted, failed) = (wanted, nil)
            worker.begin()
        }
        guard let current, current.wanted.hasSameFrames(as: wanted) else { return .loading }
        var usable = settings
        usable.take(modelsOf: current.wanted.settings)
        return .ready(apply(usable, current.analysis), separates: usable.separates)
    }

    /// Handles a frame that does not follow the last one.
    func reset() { current?.analysis.reset() }

    private func apply(_ settings: PersonSegmentSettings, _ analysis: Analysis) -> any MaskRequest {
        if let applied, applied.settings == settings { return applied.request }
        let request = analysis.apply(settings, isLive: true)
        applied = (settings, request)
        return request
    }

    private func takeLoaded(_ attempt: Int) {
        guard !worker.isBusy, let wanted = work.wanted, let result = work.result else { return }
        (work.wanted, work.result) = (nil, nil)
        switch result {
        case .success(let analysis):
            // The end of its own threads, for which a frame should not wait.
            work.garbage = current?.analysis
            (current, applied) = ((wanted, analysis), nil)
            worker.begin()
        case .failure(let error): failed = (wanted, attempt, error)
        }
    }

    /// The load of models; the thread of the frames and the worker take turns.
    private final class Work: @unchecked Sendable {
        // Unchecked: nobody else uses it while the worker is busy.
        var wanted: Wanted?
        var result: Result<Analysis, VisionError>?
        var garbage: Analysis?

        func run() {
            garbage = nil
            if let wanted, result == nil { result = Self.load(wanted) }
        }

        private static func load(_ wanted: Wanted) -> Result<Analysis, VisionError> {
            Result { () throws(VisionError) in
                let analysis = Analysis()
                let request = analysis.apply(wanted.settings, isLive: true)
                try request.checkModels()
                try request.prepare(
                    width: wanted.width, height: wanted.height, orientation: wanted.orientation)
                return analysis
            }
        }
    }
}

extension PersonSegmentSettings {
    /// Copies the settings that decide which models are loaded.
    fileprivate mutating func take(modelsOf other: PersonSegmentSettings) {
        let models = other.segmentation
        segmentation.qualityLevel = models.qualityLevel
        (segmentation.device, segmentation.threads) = (models.device, models.threads)
        (segmentation.modelPath, segmentation.precision) = (models.modelPath, models.precision)
        separates = other.separates
    }
}

/// A frame that is held back until its masks are ready, which a thread of its own makes.
///
/// The frame is shown in the place of a later one, with its own masks. Frames that come meanwhile are dropped.
final class DeferredFrame {
    private var held: SourceFrame?
    private let work: Work
    private let worker: Worker

    /// Creates an object without a frame.
    ///
    /// - Parameter masks: takes the masks; not to be used while `isBusy`.
    init(_ masks: FrameMasks) {
        let work = Work(masks)
        self.work = work
        worker = Worker { work.run() }
    }

    /// Whether a frame's masks are being made.
    var isBusy: Bool { worker.isBusy }

    /// Holds a frame back, and begins its masks; must not be called while there is one.
    func hold(_ frame: SourceFrame, _ input: InputFrame, _ request: any MaskRequest) {
        held = frame
        (work.input, work.request, work.error) = (input, request, nil)
        worker.begin()
    }

    /// Returns the frame that was held back, once, and the error if it has no masks; waits for them.
    func take() -> (frame: SourceFrame, error: VisionError?)? {
        guard let frame = held else { return nil }
        worker.wait()
        held = nil
        work.request = nil
        return (frame, work.error)
    }

    /// The analysis; the thread of the frames and the worker take turns.
    private final class Work: @unchecked Sendable {
        // Unchecked: nobody else uses it while the worker is busy.
        var input: InputFrame?
        var request: (any MaskRequest)?
        var error: VisionError?
        private let masks: FrameMasks

        init(_ masks: FrameMasks) { self.masks = masks }

        func run() {
            guard let input, let request else { return }
            do throws(VisionError) { try masks.find(in: input, request, separates: true) } catch {
                self.error = error
            }
        }
    }
}
