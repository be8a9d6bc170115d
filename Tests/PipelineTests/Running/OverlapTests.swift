import CGStreamer
import Foundation
import TestSupport
import Testing

/// Elements of one process do not wait for each other's inferences.
struct OverlapTests {
    /// Frames of a fast element pass while a frame of a slow element is analysed.
    ///
    /// On an idle machine more than a hundred frames pass. If inferences took turns, one or two would pass
    /// each time. A busy machine may delay the fast element during some analyses, but not during all.
    @Test func fastFramesPassWhileASlowOneIsAnalysed() throws {
        let picture = try astronaut(512, 512)
        let slow = try Harness("personsegment quality=accurate threads=1", caps: picture.caps)
        let fast = try Harness("personsegment quality=fast", caps: picture.caps)
        for harness in [slow, fast] { _ = try harness.transform(picture) }
        var passed: [Int] = []
        while passed.count < 20, (passed.last ?? 0) < 8 {
            let analysis = SlowAnalysis(slow, picture.duplicate())
            analysis.start()
            passed.append(0)
            while !analysis.isDone {
                _ = try fast.transform(picture)
                passed[passed.count - 1] += 1
            }
            #expect(analysis.flow == GST_FLOW_OK)
        }
        #expect((passed.last ?? 0) >= 8, "\(passed)")
    }

    /// A frame that another thread pushes through an element.
    private final class SlowAnalysis: @unchecked Sendable {
        private let harness: Harness
        private let frame: Frame
        private let done = DispatchSemaphore(value: 0)
        private(set) var flow = GST_FLOW_ERROR

        init(_ harness: Harness, _ frame: Frame) {
            self.harness = harness
            self.frame = frame
        }

        func start() {
            Thread.detachNewThread { [self] in
                flow = harness.push(frame)
                done.signal()
            }
        }

        /// Whether the analysis has ended; returns true only once.
        var isDone: Bool { done.wait(timeout: .now()) == .success }
    }
}
