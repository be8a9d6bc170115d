import Foundation
import Imaging
import PeopleVision
import TestSupport
import Testing

struct BackgroundSegmentationTests {
    /// A segmenter each of whose frames is done when it is told so.
    private final class Gated: Segmenter, @unchecked Sendable {
        let gate = DispatchSemaphore(value: 0)

        func segment(
            _ frame: InputFrame, smoothing: Float, withPeople: Bool
        ) throws(VisionError) -> Segmentation {
            gate.wait()
            return Segmentation(
                mask: FloatImage(4, 4) { _, _ in 1 }, people: nil, followsLast: true, time: frame.nanoseconds)
        }

        func preparePeople(_ search: PersonSearch.Schedule?) {}
        func reset() {}
    }

    private let image = Photo(width: 4, height: 4, bytes: [UInt8](repeating: 0, count: 48)).image
    /// Longer than any frame takes, in seconds.
    private static let long = 600.0

    private let segmenter = Gated()
    private let background: BackgroundSegmentation

    init() {
        let segmenter = segmenter
        background = BackgroundSegmentation { () throws(VisionError) in segmenter }
    }

    private func begin() { background.begin(InputFrame(image.view, time: .zero), smoothing: 0) }

    /// Segments a frame, after which the time of the next one is expected.
    private func finishOne() throws {
        begin()
        segmenter.gate.signal()
        #expect(background.wait(atMost: Self.long))
        #expect(try background.takeMask() != nil)
    }

    @Test func aFrameThatIsLikelyToBeDoneIsWaitedFor() throws {
        try finishOne()
        begin()
        let segmenter = segmenter
        Thread { segmenter.gate.signal() }.start()
        #expect(background.waitIfNearlyDone(within: Self.long) > .zero)
        #expect(!background.isBusy)
        #expect(try background.takeMask() != nil)
    }

    @Test func otherFramesAreNotWaitedFor() throws {
        begin()
        // The time of the first frame is unknown.
        #expect(background.waitIfNearlyDone(within: Self.long) == .zero && background.isBusy)
        segmenter.gate.signal()
        #expect(background.wait(atMost: Self.long))
        begin()
        #expect(background.waitIfNearlyDone(within: 0) == .zero && background.isBusy)
        segmenter.gate.signal()
    }
}
