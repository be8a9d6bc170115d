import Imaging
import PeopleVision
import Synchronization
import TestSupport
import Testing

/// Tests of requests that analyse streams.
@Suite struct StreamTests {
    /// A request that returns the times of frames, in nanoseconds, once it may.
    private final class Times: VisionRequest {
        struct Configuration: RequestConfiguration {
            var revision = 1
            var mode = AnalysisMode.image
            var regionOfInterest = NormalizedRect.unit
        }
        static let supportedRevisions = 1...1
        var configuration = Configuration()
        private let wait: () -> Void

        init(_ wait: @escaping () -> Void = {}) { self.wait = wait }

        func perform(on frame: InputFrame) throws(VisionError) -> Duration? {
            wait()
            return frame.time
        }
    }

    /// Memory of a small image that never changes.
    private final class Pixels: Sendable {
        let bytes = [UInt8](repeating: 128, count: 3 * 8 * 8)

        func frame(_ number: Int) throws -> StreamFrame {
            // The array's memory lives as long as this object, which the frame keeps.
            let base = try #require(bytes.withUnsafeBytes { $0.baseAddress })
            let view = ImageView(
                format: .rgb, width: 8, height: 8, plane: Plane(base: base, stride: 24),
                byteCount: bytes.count)
            return StreamFrame(try #require(view), time: .milliseconds(number), keeping: self)
        }
    }

    /// A number that two tasks share.
    private final class Count: Sendable {
        private let number = Mutex(0)
        var value: Int { number.withLock { $0 } }

        func increase() { number.withLock { $0 += 1 } }
    }

    private let pixels = Pixels()

    private func frames(_ count: Int) throws -> [StreamFrame] { try (0..<count).map { try pixels.frame($0) } }

    private func sequence(_ frames: [StreamFrame]) -> AsyncStream<StreamFrame> {
        AsyncStream { continuation in
            for frame in frames { continuation.yield(frame) }
            continuation.finish()
        }
    }

    @Test func aRecordingLosesNothing() async throws {
        let results = Times().results(of: sequence(try frames(50)))
        var times: [Duration?] = []
        for try await (frame, time) in results {
            #expect(frame.time == time)
            times.append(time)
        }
        #expect(times == (0..<50).map { .milliseconds($0) })
        #expect(results.droppedCount == 0)
    }

    /// The frames that come while one is analysed, except for the newest, are dropped.
    @Test func aCameraDropsLateFrames() async throws {
        let queue = FrameQueue(mode: .camera)
        let frames = try frames(10)
        let results = Times().results(of: queue, mode: .camera)
        var iterator = results.makeAsyncIterator()
        await queue.push(frames[0])
        #expect(try await iterator.next()?.observation == .zero)
        for frame in frames[1...] { await queue.push(frame) }
        queue.finish()
        #expect(try await iterator.next()?.observation == .milliseconds(9))
        #expect(try await iterator.next() == nil)
        #expect(results.droppedCount == 8)
    }

    /// A producer of a recording is at most one frame ahead.
    @Test func aRecordingWaits() async throws {
        let queue = FrameQueue(mode: .recording)
        let frames = try frames(3)
        let pushed = Count()
        var iterator = Times().results(of: queue).makeAsyncIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for frame in frames {
                    await queue.push(frame)
                    pushed.increase()
                }
                queue.finish()
            }
            // The second frame waits until the first is taken.
            for number in 0..<3 {
                #expect(pushed.value <= number + 2)
                #expect(try await iterator.next()?.observation == .milliseconds(number))
            }
            #expect(try await iterator.next() == nil)
            try await group.waitForAll()
        }
    }

    @Test func errorsOfTheSourceArePassedOn() async throws {
        struct Failure: Error {}
        let frames = try frames(2)
        let source = AsyncThrowingStream<StreamFrame, any Error> { continuation in
            for frame in frames { continuation.yield(frame) }
            continuation.finish(throwing: Failure())
        }
        var count = 0
        await #expect(throws: Failure.self) {
            for try await _ in Times().results(of: source) { count += 1 }
        }
        #expect(count == 2)
    }

    @Test func aCancelledTaskEndsItsStream() async throws {
        let queue = FrameQueue(mode: .recording)
        let task = Task {
            var count = 0
            for try await _ in Times().results(of: queue) { count += 1 }
            return count
        }
        task.cancel()
        #expect(try await task.value == 0)
    }

    /// The mode of a stream becomes the request's, and results are those of pushed frames.
    @Test func facesOfARecordingKeepTheirIds() async throws {
        let photo = try #require(Photo.portrait)
        let request = DetectFaceRectanglesRequest.forTests()
        let image = KeptImage(photo)
        let frames = (0..<4).map { image.frame(.milliseconds(40 * $0)) }
        var found: [[FaceObservation]] = []
        for try await (_, faces) in request.results(of: sequence(frames)) { found.append(faces) }
        #expect(request.mode == .recording)
        #expect(found.count == 4 && Set(found.map { $0.map(\.id) }).count == 1)
        let alone = DetectFaceRectanglesRequest.forTests()
        alone.mode = .recording
        let expected = try KeptImage.faces(alone, photo)
        #expect(found == expected)
    }

    /// An image that frames keep.
    private final class KeptImage: Sendable {
        private nonisolated(unsafe) let image: TestImage

        init(_ photo: Photo) { image = photo.image }

        func frame(_ time: Duration) -> StreamFrame { StreamFrame(image.view, time: time, keeping: self) }

        /// The faces of synchronous calls.
        static func faces(_ request: DetectFaceRectanglesRequest, _ photo: Photo) throws
            -> [[FaceObservation]]
        {
            let image = photo.image
            return try (0..<4).map { number in
                try request.perform(on: InputFrame(image.view, time: .milliseconds(40 * number)))
            }
        }
    }
}
