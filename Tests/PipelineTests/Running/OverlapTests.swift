import CGStreamer
import Foundation
import TestSupport
import Testing

/// Elements of one process do not wait for each other's inferences.
struct OverlapTests {
    /// Counts frames of a fast element while one frame of a slow element is analysed.
    ///
    /// The slow analysis takes a hundred times as long. If inferences took turns, a frame or two would get
    /// through; whatever else the machine does slows both alike.
    @Test func fastFramesPassWhileASlowOneIsAnalysed() throws {
        let picture = try astronaut(512, 512)
        let slow = try Harness("personsegment quality=accurate threads=1", caps: picture.caps)
        let fast = try Harness("personsegment quality=fast", caps: picture.caps)
        for harness in [slow, fast] { _ = try harness.transform(picture) }

        let analysis = SlowAnalysis(slow, picture.duplicate())
        analysis.start()
        var passed = 0
        while !analysis.isDone {
            _ = try fast.transform(picture)
            passed += 1
        }
        #expect(analysis.flow == GST_FLOW_OK)
        #expect(passed >= 8)
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

        /// Turns true once; ask no more afterwards.
        var isDone: Bool { done.wait(timeout: .now()) == .success }
    }
}
