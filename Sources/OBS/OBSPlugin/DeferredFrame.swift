import Composer
import Imaging
import PeopleVision
import Threads

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
