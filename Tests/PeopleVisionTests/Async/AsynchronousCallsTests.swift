import Foundation
import Imaging
import PeopleVision
import Synchronization
import TestSupport
import Testing

/// Tests of calls that run on the library's threads.
@Suite struct AsynchronousCallsTests {
    /// A request that calls a function, and returns the number of calls before.
    private final class Probe: VisionRequest {
        struct Configuration: RequestConfiguration {
            var revision = 1
            var mode = AnalysisMode.image
            var regionOfInterest = NormalizedRect.unit
            var number = 0
        }
        static let supportedRevisions = 1...1
        private let settings = Mutex(Configuration())
        var configuration: Configuration {
            get { settings.withLock { $0 } }
            set { settings.withLock { $0 = newValue } }
        }
        private let act: () throws(VisionError) -> Void
        private let running = Mutex(0)
        private(set) var count = 0

        init(_ act: @escaping () throws(VisionError) -> Void = {}) { self.act = act }

        func perform(on frame: InputFrame) throws(VisionError) -> Int {
            #expect(
                running.withLock {
                    $0 += 1; return $0
                } == 1, "one call at a time")
            defer { running.withLock { $0 -= 1 } }
            try act()
            count += 1
            return count - 1
        }
    }

    /// An event that threads wait for.
    private final class Event: Sendable {
        private let happened = Mutex(false)

        func happen() { happened.withLock { $0 = true } }

        @discardableResult
        func wait() -> Bool { Patience.wait { happened.withLock { $0 } } }

        func waitAsynchronously() async throws {
            while !happened.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(2)) }
        }
    }

    private func segmentation() -> GeneratePersonSegmentationRequest {
        let request = GeneratePersonSegmentationRequest()
        (request.qualityLevel, request.modelPath) = (.fast, Checkout.models.path)
        return request
    }

    /// Results of synchronous calls.
    private func expected(_ image: TestImage) throws -> (mask: [Float], faces: [FaceObservation]) {
        let (people, faces) = try ImageRequestHandler(image.view, keeping: image)
            .perform(segmentation(), DetectFaceRectanglesRequest.forTests())
        return (people.mask.values, faces)
    }

    // MARK: - Results

    @Test func resultsAreThoseOfSynchronousCalls() async throws {
        let image = try #require(Photo.portrait).image
        let expected = try expected(image)
        #expect(expected.mask.contains { $0 > 0.9 })
        let request = segmentation()
        let mask = try await request.perform(on: image.view).mask
        #expect(mask.values == expected.mask)
        let (people, faces) = try await ImageRequestHandler(image.view, keeping: image)
            .perform(request, DetectFaceRectanglesRequest.forTests())
        #expect(people.mask.values == expected.mask && faces == expected.faces)
        let frame = try await request.perform(on: InputFrame(image.view, nanoseconds: 40, isStill: true))
        #expect(frame.mask.values == expected.mask && frame.time == .nanoseconds(40))
    }

    @Test func modelsAreLoadedBeforeTheFirstImage() async throws {
        let image = try #require(Photo.portrait).image
        let (request, faces) = (segmentation(), DetectFaceRectanglesRequest.forTests())
        try await request.prepare(width: image.view.width, height: image.view.height)
        try await faces.prepare()
        #expect(try await request.perform(on: image.view).mask.values == expected(image).mask)
        request.modelPath = "/missing"
        await #expect(throws: VisionError.self) { try await request.prepare(width: 64, height: 64) }
    }

    @Test func aHandlerReturnsTheObservationOfOneRequest() async throws {
        let image = TestImage(.gray8, 6, 4)
        let handler = ImageRequestHandler(image.view, keeping: image)
        let count = try await handler.perform(Probe())
        #expect(count == 0)
        let (first, second) = try await handler.perform(Probe(), Probe())
        #expect(first == 0 && second == 0)
    }

    @Test func errorsAreThoseOfTheFirstRequestThatFails() async {
        let image = TestImage(.gray8, 6, 4)
        let (failing, after) = (
            Probe { () throws(VisionError) in throw .unsupportedRevision(9, supported: 1...1) }, Probe()
        )
        do throws(VisionError) {
            _ = try await ImageRequestHandler(image.view, keeping: image).perform(failing, after)
            Issue.record("no error")
        } catch {
            guard case .unsupportedRevision(9, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(after.count == 1)
    }

    // MARK: - Threads

    @Test func noThreadOfTasksIsUsed() async throws {
        let image = TestImage(.gray8, 6, 4)
        let probe = Probe { #expect(withUnsafeCurrentTask { $0 == nil }) }
        let count = try await probe.perform(on: image.view)
        #expect(count == 0)
    }

    /// Each of the requests waits for the other, so that both have to run at once.
    @Test func independentRequestsRunSideBySide() async throws {
        let image = TestImage(.gray8, 6, 4)
        let (one, other) = (Event(), Event())
        let first = Probe {
            one.happen()
            #expect(other.wait())
        }
        let second = Probe {
            other.happen()
            #expect(one.wait())
        }
        _ = try await ImageRequestHandler(image.view, keeping: image).perform(first, second)
        #expect(first.count == 1 && second.count == 1)
    }

    /// A request of an actor, whose calls come while others are running.
    private actor Owner {
        private let image = TestImage(.gray8, 6, 4)
        private let probe = Probe()

        func call() async throws -> Int { try await probe.perform(on: image.view) }

        var count: Int { probe.count }
    }

    @Test func callsOfOneRequestRunOneAfterTheOther() async throws {
        let owner = Owner()
        let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { try await owner.call() } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(numbers == Set(0..<200))
        #expect(await owner.count == 200)
    }

    /// The same request twice in one tuple.
    @Test func aRequestMayBeGivenTwice() async throws {
        let (image, probe) = (TestImage(.gray8, 6, 4), Probe())
        let (first, second) = try await ImageRequestHandler(image.view, keeping: image).perform(probe, probe)
        #expect(first == 0 && second == 1)
    }

    /// An actor that changes settings of its request while a call is running.
    private actor Changer {
        let image: TestImage
        let request: GeneratePersonSegmentationRequest

        init(_ image: sending TestImage, _ request: sending GeneratePersonSegmentationRequest) {
            (self.image, self.request) = (image, request)
        }

        func mask() async throws -> Mask { try await request.perform(on: image.view).mask }

        func change(_ format: MaskFormat) {
            for _ in 0..<1000 {
                request.outputPixelFormat = format
                request.modelPath = Checkout.models.path + ""
            }
        }
    }

    @Test func settingsMayChangeWhileACallIsRunning() async throws {
        let changer = try Changer(#require(Photo.portrait).image, segmentation())
        for format in [MaskFormat.f32, .f16, .gray8] {
            async let mask = changer.mask()
            await changer.change(format)
            #expect(MaskFormat.allCases.contains(try await mask.view.format))
            #expect(try await changer.mask().view.format == format)
        }
    }

    // MARK: - Cancellation

    @Test func aCancelledTaskRunsNoModel() async throws {
        let image = try #require(Photo.portrait).image
        let task = Task { () -> VisionError? in
            let probe = Probe()
            withUnsafeCurrentTask { $0?.cancel() }
            var found: VisionError?
            do throws(VisionError) { _ = try await probe.perform(on: image.view) } catch { found = error }
            #expect(probe.count == 0)
            return found
        }
        guard case .cancelled? = await task.value else {
            Issue.record("not cancelled")
            return
        }
    }

    /// The call is cancelled after it has begun: the model that it runs next throws.
    @Test func cancellationIsHonouredBetweenModels() async throws {
        let image = try #require(Photo.portrait).image
        let expected = try expected(image).faces
        let (begun, cancelled) = (Event(), Event())
        let task = Task {
            let faces = DetectFaceRectanglesRequest.forTests()
            let probe = Probe { () throws(VisionError) in
                #expect(try faces.perform(on: image.view).count == 1)
                begun.happen()
                cancelled.wait()
                _ = try faces.perform(on: image.view)
                Issue.record("a model was run")
            }
            var wasCancelled = false
            do throws(VisionError) { _ = try await probe.perform(on: image.view) } catch {
                if case .cancelled = error { wasCancelled = true }
            }
            // The request is as good as a new one.
            return (wasCancelled, try perform(faces, image))
        }
        try await begun.waitAsynchronously()
        task.cancel()
        cancelled.happen()
        let (wasCancelled, faces) = try await task.value
        #expect(wasCancelled)
        #expect(faces == expected)
    }

    /// A caller does not wait for models that are being loaded; the request goes on when they are.
    @Test func cancellationEndsTheWaitForModels() async throws {
        nonisolated(unsafe) let image = try #require(Photo.portrait).image
        let (begun, loaded) = (Event(), Event())
        let isAfter = Mutex(false)
        nonisolated(unsafe) let probe = Probe { () throws(VisionError) in
            try Cancellation.whileLoading { () throws(VisionError) in
                begun.happen()
                // Ends only after the caller has gone on.
                loaded.wait()
            }
            isAfter.withLock { $0 = true }
        }
        @Sendable func failure() async -> VisionError? {
            do throws(VisionError) { _ = try await probe.perform(on: image.view) } catch { return error }
            return nil
        }
        let task = Task(operation: failure)
        try await begun.waitAsynchronously()
        task.cancel()
        guard case .cancelled? = await task.value else {
            Issue.record("not cancelled")
            return
        }
        #expect(!isAfter.withLock { $0 })
        loaded.happen()
        // The next call waits for the thread that loads, and finds what it has loaded.
        #expect(try await probe.perform(on: image.view) == 0)
        #expect(isAfter.withLock { $0 })
    }

    /// One of several requests of a call may still be at work with the image: the call waits for it alone.
    @Test func cancellationWaitsForRequestsThatUseTheImage() async throws {
        nonisolated(unsafe) let image = try #require(Photo.portrait).image
        let (loading, working, loaded, worked) = (Event(), Event(), Event(), Event())
        let hasEnded = Mutex(false)
        nonisolated(unsafe) let first = Probe { () throws(VisionError) in
            try Cancellation.whileLoading { () throws(VisionError) in
                loading.happen()
                loaded.wait()
            }
        }
        nonisolated(unsafe) let second = Probe {
            working.happen()
            worked.wait()
        }
        let task = Task {
            defer { hasEnded.withLock { $0 = true } }
            _ = try await ImageRequestHandler(image.view, keeping: image).perform(first, second)
        }
        try await loading.waitAsynchronously()
        try await working.waitAsynchronously()
        task.cancel()
        try await Task.sleep(for: .milliseconds(50))
        #expect(!hasEnded.withLock { $0 })
        worked.happen()
        await #expect(throws: VisionError.cancelled) { try await task.value }
        loaded.happen()
    }
}

/// Calls the synchronous `perform` in asynchronous code.
private func perform(_ request: DetectFaceRectanglesRequest, _ image: TestImage) throws -> [FaceObservation] {
    try request.perform(on: image.view)
}
