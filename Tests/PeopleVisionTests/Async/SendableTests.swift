import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests that what requests return may go from task to task: this file compiles because the types are `Sendable`.
@Suite struct SendableTests {
    /// An actor that keeps a value for another task.
    private actor Keeper<Value: Sendable> {
        private var value: Value?

        func keep(_ value: Value) { self.value = value }

        func give() -> Value? { value }
    }

    /// Sends a value through an actor, by way of another task.
    private func sent<Value: Sendable>(_ value: Value) async throws -> Value {
        let keeper = Keeper<Value>()
        await Task.detached { await keeper.keep(value) }.value
        return try #require(await keeper.give())
    }

    private func segmentation() -> GeneratePersonSegmentationRequest.Configuration {
        var configuration = GeneratePersonSegmentationRequest.Configuration()
        (configuration.qualityLevel, configuration.modelPath) = (.fast, Checkout.models.path)
        return configuration
    }

    @Test func masksAndCutOuts() async throws {
        let image = try #require(Photo.portrait).image
        let handler = ImageRequestHandler(image.view, keeping: image)
        let people = try await handler.perform(GeneratePersonSegmentationRequest(segmentation()))
        let values = people.mask.values
        #expect(values.contains { $0 > 0.9 })
        #expect(try await sent(people).mask.values == values)
        #expect(try await sent(people.mask).values == values)
        let cutOut = try #require(handler.cutOut(by: people.mask))
        #expect(try await sent(cutOut).pixels == cutOut.pixels)
    }

    /// Two tasks use one handler.
    @Test func handlers() async throws {
        let image = try #require(Photo.portrait).image
        let handler = ImageRequestHandler(image.view, keeping: image)
        let configuration = segmentation()
        async let one = handler.perform(GeneratePersonSegmentationRequest(configuration))
        async let other = handler.perform(GeneratePersonSegmentationRequest(configuration))
        #expect(try await one.mask.values == other.mask.values)
    }

    @Test func instances() async throws {
        let image = try #require(Photo.portrait).image
        let request = GeneratePersonInstanceMaskRequest()
        request.segmentation = segmentation()
        let people = try await request.perform(on: image.view)
        let received = try await sent(people)
        #expect(received.instances == people.instances && received.labels.values == people.labels.values)
        #expect(received.mask(for: [1])?.values == people.mask(for: [1])?.values)
    }

    @Test func saliency() async throws {
        let image = try #require(Photo.portrait).image
        let request = GenerateObjectnessBasedSaliencyImageRequest()
        request.modelPath = Checkout.models.path
        let found = try await request.perform(on: image.view)
        let received = try await sent(found)
        #expect(received.salientObjects == found.salientObjects)
        #expect(received.heatMap.values == found.heatMap.values)
    }

    @Test func people() async throws {
        let image = try #require(Photo.portrait).image
        let request = DetectPeopleRequest()
        request.instances.segmentation = segmentation()
        request.bodies.modelPath = Checkout.models.path
        request.faces.modelPath = Checkout.models.path
        request.hands.modelPath = Checkout.models.path
        let people = try await request.perform(on: image.view)
        #expect(people.contains { $0.body != nil && $0.face != nil })
        #expect(try await sent("\(people)") == "\(try await sent(people))")
    }

    @Test func bodiesInSpace() async throws {
        let image = try #require(Photo.portrait).image
        let request = DetectHumanBodyPose3DRequest()
        request.modelPath = Checkout.models.path
        let bodies = try await request.perform(on: image.view)
        let pose = try #require(bodies.first)
        #expect(try await sent(pose).positions == pose.positions)
    }

    @Test func errors() async throws {
        let received = try await sent(VisionError.unsupportedRevision(2, supported: 1...1))
        guard case .unsupportedRevision(2, 1...1) = received else {
            Issue.record("\(received)")
            return
        }
    }
}
