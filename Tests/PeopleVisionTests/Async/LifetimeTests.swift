import Imaging
import PeopleVision
import Synchronization
import TestSupport
import Testing

/// Tests that calls keep neither requests nor images nor results after they have ended.
@Suite(.serialized) struct LifetimeTests {
    /// Memory of an image that never changes, and the number of such images that live.
    private final class Pixels: Sendable {
        static let living = Mutex(0)
        let bytes: [UInt8]
        let side: Int

        init(side: Int) {
            (self.side, bytes) = (side, [UInt8](repeating: 128, count: 3 * side * side))
            Self.living.withLock { $0 += 1 }
        }

        deinit { Self.living.withLock { $0 -= 1 } }

        /// The image, whose memory lives as long as this object.
        var view: ImageView {
            get throws {
                let base = try #require(bytes.withUnsafeBytes { $0.baseAddress })
                return try #require(
                    ImageView(
                        format: .rgb, width: side, height: side, plane: Plane(base: base, stride: 3 * side),
                        byteCount: bytes.count))
            }
        }

        func frame(_ number: Int) throws -> StreamFrame {
            StreamFrame(try view, time: .milliseconds(number), keeping: self)
        }
    }

    /// A result whose living copies are counted.
    private final class Result: Sendable {
        static let living = Mutex(0)
        let bytes = [UInt8](repeating: 1, count: 1 << 16)

        init() { Self.living.withLock { $0 += 1 } }

        deinit { Self.living.withLock { $0 -= 1 } }
    }

    /// A request without models.
    private final class Probe: VisionRequest {
        struct Configuration: RequestConfiguration {
            var revision = 1
            var mode = AnalysisMode.image
            var regionOfInterest = NormalizedRect.unit
        }
        static let supportedRevisions = 1...1
        static let living = Mutex(0)
        private let settings = Mutex(Configuration())
        var configuration: Configuration {
            get { settings.withLock { $0 } }
            set { settings.withLock { $0 = newValue } }
        }
        private let fails: Bool

        init(fails: Bool = false) {
            self.fails = fails
            Self.living.withLock { $0 += 1 }
        }

        deinit { Self.living.withLock { $0 -= 1 } }

        func perform(on frame: InputFrame) throws(VisionError) -> Result {
            if fails { throw .unsupportedRevision(9, supported: 1...1) }
            return Result()
        }
    }

    /// Waits until nothing lives; a thread of the library releases a call a moment after it has ended.
    private func expectNothingLives(_ what: String) {
        func count() -> [Int] {
            [Pixels.living.withLock { $0 }, Result.living.withLock { $0 }, Probe.living.withLock { $0 }]
        }
        #expect(Patience.wait { count() == [0, 0, 0] }, "\(what): images, results, requests: \(count())")
    }

    // MARK: - Forms of calls

    @Test func callsOfARequestKeepNothing() async throws {
        for fails in [false, true] {
            do {
                let (pixels, request) = (Pixels(side: 8), Probe(fails: fails))
                _ = try? await request.perform(on: pixels.view)
                _ = try? await request.perform(on: InputFrame(pixels.view, nanoseconds: 0, isStill: true))
                withExtendedLifetime(pixels) {}
            }
            expectNothingLives("perform, fails: \(fails)")
        }
    }

    @Test func callsOfAHandlerKeepNothing() async throws {
        for fails in [false, true] {
            do {
                let pixels = Pixels(side: 8)
                let handler = ImageRequestHandler(try pixels.view, keeping: pixels)
                _ = try? await handler.perform(Probe())
                _ = try? await handler.perform(Probe(), Probe(fails: fails), Probe())
            }
            expectNothingLives("handler, fails: \(fails)")
        }
    }

    @Test func callsOfTaskGroupsKeepNothing() async throws {
        do {
            let pixels = Pixels(side: 8)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask { _ = try? await Probe().perform(on: pixels.view) }
                }
            }
        }
        expectNothingLives("task group")
    }

    @Test func cancelledCallsKeepNothing() async throws {
        do {
            let pixels = Pixels(side: 8)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try? await Probe().perform(on: pixels.view)
                let handler = ImageRequestHandler(try pixels.view, keeping: pixels)
                _ = try? await handler.perform(Probe(), Probe())
            }
            _ = await task.result
        }
        expectNothingLives("cancelled")
    }

    @Test func streamsKeepNothing() async throws {
        for taken in [3, 50] {
            do {
                let frames = try (0..<50).map { try Pixels(side: 8).frame($0) }
                let stream = AsyncStream<StreamFrame> { continuation in
                    for frame in frames { continuation.yield(frame) }
                    continuation.finish()
                }
                var count = 0
                for try await _ in Probe().results(of: stream) {
                    count += 1
                    if count == taken { break }
                }
            }
            expectNothingLives("stream, \(taken) frames taken")
        }
    }

    /// A producer that waits with a frame of a recording ends with its task, though nobody takes the frame.
    @Test func cancelledProducersKeepNothing() async throws {
        do {
            let queue = FrameQueue(mode: .recording)
            let frames = try (0..<3).map { try Pixels(side: 8).frame($0) }
            let producer = Task { for frame in frames { await queue.push(frame) } }
            var iterator = Probe().results(of: queue).makeAsyncIterator()
            _ = try await iterator.next()
            producer.cancel()
            await producer.value
            queue.finish()
        }
        expectNothingLives("cancelled producer")
    }

    // MARK: - Kinds of requests

    /// A request of each kind, which is released after a call, with all that it has loaded.
    @Test func requestsOfEachKindAreReleased() async throws {
        let image = try #require(Photo.portrait).image
        func check<Request: VisionRequest>(_ make: () -> Request) async throws {
            weak var reference: Request?
            do {
                let request = make()
                reference = request
                _ = try await request.perform(on: image.view)
                _ = try await ImageRequestHandler(image.view, keeping: image).perform(request)
            }
            #expect(Patience.wait { reference == nil }, "\(Request.self) lives")
        }
        try await check { GeneratePersonSegmentationRequest() }
        try await check { GeneratePersonInstanceMaskRequest() }
        try await check { GenerateForegroundInstanceMaskRequest() }
        try await check { GenerateAttentionBasedSaliencyImageRequest() }
        try await check { GenerateObjectnessBasedSaliencyImageRequest() }
        try await check { DetectPeopleRequest() }
        try await check { DetectFaceRectanglesRequest() }
        try await check { DetectFaceLandmarksRequest() }
        try await check { DetectFaceCaptureQualityRequest() }
        try await check { DetectHumanRectanglesRequest() }
        try await check { DetectHumanBodyPoseRequest() }
        try await check { DetectHumanBodyPose3DRequest() }
        try await check { DetectHumanHandPoseRequest() }
    }

    // MARK: - Memory

    /// 150 calls with images of 3 MB each leave less than one image's memory behind.
    @Test func memoryDoesNotGrowWithCalls() async throws {
        let request = Probe()
        func call(_ count: Int) async throws {
            for _ in 0..<count {
                let pixels = Pixels(side: 1024)
                let handler = ImageRequestHandler(try pixels.view, keeping: pixels)
                _ = try await (request.perform(on: pixels.view), handler.perform(request))
            }
            #expect(Patience.wait { Pixels.living.withLock { $0 } == 0 })
            ProcessMemory.trim()
        }
        try await call(50)
        let before = ProcessMemory.allocated
        try await call(150)
        #expect(ProcessMemory.allocated - before < 3 << 20)
        withExtendedLifetime(request) {}
    }
}
