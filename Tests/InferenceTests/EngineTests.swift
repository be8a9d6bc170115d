import Foundation
import Inference
import TestSupport
import Testing

@Suite(.enabled(if: Place.hasOpenVINO, "needs .gst-people/openvino: run pipelines/setup"))
struct EngineTests {
    private let engine = Engine.forTests()

    @Test func computesAndOrdersOutputsByName() throws {
        let model = try engine.compiledModel(fixture("scale"))
        #expect(model.inputShape == [1, 4, 6, 3] && model.outputShapes == [[1, 1, 1, 1], [1, 4, 6, 3]])
        let request = try InferenceRequest(model)
        for run in 0..<3 {
            for i in request.input.indices { request.input[i] = Float(i + run) / 7 }
            try request.run()
            let factors: [Float] = [2, 3, 4]
            let expected = request.input.enumerated().map { $1 * factors[$0 % 3] }
            #expect(Array(request.outputs[1]) == expected)
            #expect(abs(request.outputs[0][0] - request.input.reduce(0, +)) < 1e-3)
        }
    }

    @Test func memoryIsAligned() throws {
        let request = try InferenceRequest(engine.compiledModel(fixture("scale")))
        let inputs = [UnsafeRawPointer(request.input.baseAddress)]
        let addresses = inputs + request.outputs.map { UnsafeRawPointer($0.baseAddress) }
        for address in addresses { #expect(UInt(bitPattern: address) % 64 == 0 && address != nil) }
        #expect(request.input.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [(2, 2), (6, 4), (34, 18)])
    func runsAModelOfFreeSize(_ width: Int, _ height: Int) throws {
        let model = try engine.compiledModel(fixture("free_size"), width: width, height: height)
        #expect(model.inputShape == [1, 3, height, width] && model.outputShapes == [[1, 1, height, width]])
        let request = try InferenceRequest(model)
        let plane = width * height
        for i in request.input.indices { request.input[i] = Float(i / plane * 10 + i % plane) }
        try request.run()
        for i in 0..<plane { #expect(abs(request.outputs[0][i] - Float(10 + i)) < 1e-3) }
    }

    @Test(arguments: [(nil, nil), (3, 4), (0, 2), (-2, 2), (2, nil), (100_000, 2), (Int.max, Int.max)])
    func refusesImpossibleSizes(_ width: Int?, _ height: Int?) throws {
        let info = try fixture("free_size")
        expectUnsupported(info) { try engine.compiledModel(info, width: width, height: height) }
        let fixed = try fixture("scale")
        expectUnsupported(fixed) { try engine.compiledModel(fixed, width: 7, height: height) }
    }

    @Test func runsOnTheAutomaticDevice() throws {
        var options = ComputeOptions()
        options.device = "AUTO"
        let request = try InferenceRequest(engine.compiledModel(fixture("scale"), options: options))
        request.input[0] = 2
        try request.run()
        #expect(request.outputs[1][0] == 4)
    }

    @Test(.enabled(if: Place.hasModels, "needs .gst-people/models: run pipelines/setup"))
    func runsThePreparedModels() throws {
        let store = ModelStore(directories: [Place.setUp + "/models"])
        for name in try FileManager.default.contentsOfDirectory(atPath: Place.setUp + "/models")
        where name.hasSuffix(".json") {
            let info = try store.model(named: String(name.dropLast(5)))
            let side = info.input.width == 0 ? 64 : nil
            let request = try InferenceRequest(engine.compiledModel(info, width: side, height: side))
            for i in request.input.indices { request.input[i] = Float(i % 255) / 255 }
            try request.run()
            for output in request.outputs {
                #expect(output.allSatisfy(\.isFinite) && output.contains { $0 != 0 }, "\(name)")
            }
        }
    }
}

// MARK: - Errors

extension EngineTests {
    private func expectUnsupported(_ info: ModelInfo, _ body: () throws -> CompiledModel) {
        let error = thrown(InferenceError.self) { _ = try body() }
        guard case .unsupportedModel(info.path, _) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }

    @Test func reportsUnavailableDevices() throws {
        for device in ["NOSUCH", "", "CPU.7x", "cpu"] {
            var options = ComputeOptions()
            options.device = device
            let error = thrown(InferenceError.self) {
                try engine.compiledModel(fixture("scale"), options: options)
            }
            guard case .deviceUnavailable(device, let available) = error else {
                Issue.record("unexpected \(String(describing: error))")
                return
            }
            #expect(Set(available).isSuperset(of: ["CPU"]))
        }
    }

    @Test(arguments: ["scale.xml", "scale.bin"])
    func refusesDamagedFiles(_ name: String) throws {
        let directory = try TemporaryDirectory()
        try directory.copyFixture("scale")
        try directory.write("<?xml version=\"1.0\"?><net", to: name)
        try FileManager.default.removeItem(atPath: directory.path + "/scale.json")
        let description = try String(contentsOfFile: Place.fixtures + "/scale.json", encoding: .utf8)
        let unchecked = description.replacing("\"bytes\"", with: "\"size\"").replacing(
            "\"sha256\"", with: "\"hash\"")
        try directory.write(unchecked, to: "scale.json")
        let info = try directory.store.model(named: "scale")
        let error = thrown(InferenceError.self) { try engine.compiledModel(info) }
        guard case .modelCorrupt(info.path, let why) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
        #expect(!why.isEmpty && !why.contains("Exception from"))
    }

    @Test func refusesAnInputOtherThanDescribed() throws {
        let directory = try TemporaryDirectory()
        try directory.copyFixture("scale")
        try directory.edit("scale.json", "    6,\n", "    8,\n")
        let info = try directory.store.model(named: "scale")
        expectUnsupported(info) { try engine.compiledModel(info) }
    }

    @Test func refusesOutputsOtherThanDescribed() throws {
        let directory = try TemporaryDirectory()
        try directory.copyFixture("two_inputs")
        try directory.copyFixture("free_size")
        try directory.edit("free_size.json", "\"mean\",", "\"median\",")
        let renamed = try directory.store.model(named: "free_size")
        expectUnsupported(renamed) { try engine.compiledModel(renamed, width: 2, height: 2) }
        let twoInputs = try directory.store.model(named: "two_inputs")
        expectUnsupported(twoInputs) { try engine.compiledModel(twoInputs) }
        // The sidecar's order of outputs differs from the file's: if outputs were matched by position, their
        // shapes would differ.
        let other = try ModelStore(directories: [Place.fixtures]).model(named: "scale")
        try FileManager.default.copyItem(atPath: other.path, toPath: directory.path + "/other.xml")
        try FileManager.default.copyItem(
            atPath: Place.fixtures + "/scale.bin", toPath: directory.path + "/other.bin")
        let byPlace = try ModelStore(directories: [Place.fixtures])
            .model(directory.path + "/other.xml", like: "scale")
        expectUnsupported(byPlace) { try engine.compiledModel(byPlace) }
    }
}
