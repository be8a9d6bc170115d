import Foundation
import Inference
import TestSupport
import Testing

/// A model that adds a quarter of its input's brightness to its state in each run.
@Suite(.enabled(if: Place.hasOpenVINO, "needs .gst-people/openvino: run pipelines/setup"))
struct RecurrentStateTests {
    private let engine = Engine.forTests()

    private func request() throws -> InferenceRequest {
        try InferenceRequest(engine.compiledModel(fixture("accumulator"), width: 24, height: 16))
    }

    /// Runs the model with `brightness` everywhere except in the first pixel, which is 0.
    private func run(_ request: InferenceRequest, _ brightness: Float) throws -> [Float] {
        let plane = request.input.count / 3
        for i in request.input.indices { request.input[i] = i % plane == 0 ? 0 : brightness }
        try request.run()
        return Array(request.outputs[0])
    }

    @Test func aRunPassesItsStateToTheNext() throws {
        let request = try request()
        #expect(request.model.outputShapes == [[1, 1, 16, 24]])
        for (brightness, sum) in [(0.4, 0.1), (0.8, 0.3), (0, 0.3), (0.4, 0.4)] as [(Float, Float)] {
            let values = try run(request, brightness)
            #expect(values.count == 16 * 24 && values[0] == 0)
            #expect(values.dropFirst().allSatisfy { abs($0 - sum) < 1e-6 })
        }
    }

    @Test func aResetClearsTheState() throws {
        let request = try request()
        for _ in 0..<3 {
            for sum in [0.1, 0.2, 0.3] as [Float] { #expect(abs(try run(request, 0.4)[7] - sum) < 1e-6) }
            request.reset()
        }
    }

    @Test func eachRequestHasItsOwnState() throws {
        let (one, other) = (try request(), try request())
        #expect(one.model === other.model)
        for count in 1...4 {
            #expect(abs(try run(one, 0.4)[7] - Float(count) * 0.1) < 1e-6)
            #expect(abs(try run(other, 0.8)[7] - Float(count) * 0.2) < 1e-6)
        }
    }

    @Test func aModelWithoutStatesCanBeReset() throws {
        let request = try InferenceRequest(engine.compiledModel(fixture("scale")))
        request.reset()
        try request.run()
        #expect(request.outputs[0][0] == 0)
    }

    // MARK: - Manifests that do not fit

    /// Compiles the fixture with a change of its manifest.
    private func compile(_ old: String, _ new: String) throws {
        let directory = try TemporaryDirectory()
        try directory.copyFixture("accumulator")
        try directory.edit("accumulator.json", old, new)
        _ = try engine.compiledModel(directory.store.model(named: "accumulator"), width: 24, height: 16)
    }

    @Test(arguments: [
        ("\"input\": \"sum\"", "\"input\": \"total\""),
        ("\"output\": \"next_sum\"", "\"output\": \"next\""), ("\"states\"", "\"other\""),
        ("\"states\": [", "\"states\": [{\"input\": \"a\", \"output\": \"b\"},"),
    ])
    func refusesStatesOtherThanDescribed(_ old: String, _ new: String) throws {
        let error = thrown(InferenceError.self) { try compile(old, new) }
        guard case .unsupportedModel = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        ("\"output\": \"next_sum\"", "\"to\": \"next_sum\""),
        ("\"output\": \"next_sum\"", "\"output\": \"alpha\""),
        ("\"name\": \"image\"", "\"title\": \"image\""),
        ("\"states\": [", "\"states\": 1, \"others\": ["),
    ])
    func refusesMalformedStates(_ old: String, _ new: String) throws {
        let error = thrown(InferenceError.self) { try compile(old, new) }
        guard case .modelCorrupt = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }

    @Test func refusesAStateThatGrows() throws {
        let error = thrown(InferenceError.self) {
            try engine.compiledModel(fixture("growing"), width: 24, height: 16)
        }
        guard case .unsupportedModel = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }
}
