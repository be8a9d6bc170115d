import Foundation
import Inference
import TestSupport
import Testing

@Suite struct ModelStoreTests {
    @Test func readsDescriptions() throws {
        let info = try fixture("free_size")
        #expect(info.name == "free_size")
        #expect(info.path == Place.fixtures + "/free_size.xml")
        #expect(info.weights == Place.fixtures + "/free_size.bin")
        #expect(info.input.layout == .nchw)
        #expect(info.input.width == 0 && info.input.height == 0)
        #expect(info.input.range == -1...1 && info.input.multiple == 2)
        #expect(info.outputs.map(\.name) == ["mean"] && info.outputs[0].shape == [1, 1, 0, 0])
        #expect(info.facts["licence"]?.string == "Apache-2.0")
    }

    @Test func readsInputsThatAreNoImages() throws {
        let info = try fixture("counter")
        #expect(info.input.layout == nil && info.input.width == nil && info.input.shape == [1, 1, 1, 1])
    }

    @Test func firstDirectoryWins() throws {
        let directory = try TemporaryDirectory()
        try directory.copyFixture("scale")
        let both = ModelStore(directories: ["/nonexistent", directory.path, Place.fixtures])
        #expect(try both.model(named: "scale").path == directory.path + "/scale.xml")
        #expect(try both.model(named: "counter").path == Place.fixtures + "/counter.xml")
    }

    @Test(arguments: ["none", "", "..", "../Fixtures/scale", "a\u{0}b"])
    func refusesUnknownNames(_ name: String) {
        let store = ModelStore(directories: [Place.fixtures])
        #expect(throws: InferenceError.modelNotFound(name: name, searched: [Place.fixtures])) {
            try store.model(named: name)
        }
    }

    /// The error for a user's unknown name lists the possible names.
    @Test func unknownNamesOfUsersListTheKnownOnes() throws {
        let directory = try TemporaryDirectory()
        try directory.copyFixture("scale")
        try directory.copyFixture("free_size")
        #expect(throws: InferenceError.unknownModel(name: "nix", known: ["scale"])) {
            try directory.store.model("nix", like: "scale")
        }
        for (name, kind) in [("scale", "matting"), ("free_size", "segmentation")] {
            let description = directory.path + "/\(name).json"
            let text = try String(contentsOfFile: description, encoding: .utf8)
            try directory.write(
                text.replacingOccurrences(of: "\"files\"", with: "\"kind\": \"\(kind)\", \"files\""),
                to: "\(name).json")
        }
        #expect(throws: InferenceError.unknownModel(name: "nix", known: ["free_size", "scale"])) {
            try directory.store.model("nix", like: "scale")
        }
        // If there are no models at all, installing them helps; one of the names has its own set-up.
        for (name, builtIn) in [("nix", "none"), ("rvm", "scale")] {
            #expect(throws: InferenceError.modelNotFound(name: name, searched: [directory.path])) {
                try directory.store.model(name, like: builtIn)
            }
        }
    }

    @Test func findsModelsByPath() throws {
        let directory = try TemporaryDirectory()
        try directory.copyFixture("scale")
        let info = try ModelStore(directories: []).model(directory.path + "/scale.xml", like: "unknown")
        #expect(info.path == directory.path + "/scale.xml" && info.outputs[0].name == "total")
        #expect(throws: InferenceError.modelNotFound(name: "/no/such.onnx", searched: ["/no"])) {
            try directory.store.model("/no/such.onnx", like: "scale")
        }
    }

    @Test func pathWithoutDescriptionTakesTheBuiltIn() throws {
        let directory = try TemporaryDirectory()
        try directory.copyFixture("scale")
        try directory.write("another model", to: "other.onnx")
        let info = try directory.store.model(directory.path + "/other.onnx", like: "scale")
        #expect(info.name == "other" && info.path == directory.path + "/other.onnx" && info.weights == nil)
        #expect(try directory.store.model(named: "scale").input == info.input)
        #expect(info.outputs.map(\.name) == ["", ""] && info.outputs[1].shape == [1, 4, 6, 3])
    }

    @Test(arguments: ["scale.xml", "scale.bin"])
    func refusesTruncatedAndMissingFiles(_ name: String) throws {
        let directory = try TemporaryDirectory()
        try directory.copyFixture("scale")
        try directory.write("short", to: name)
        let error = thrown(InferenceError.self) { try directory.store.model(named: "scale") }
        guard case .modelCorrupt(directory.path + "/" + name, _) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
        try FileManager.default.removeItem(atPath: directory.path + "/" + name)
        let missing = InferenceError.modelCorrupt(
            path: directory.path + "/" + name, why: "the file is missing")
        #expect(throws: missing) { try directory.store.model(named: "scale") }
    }

    @Test(arguments: [
        (#""file": "scale.xml""#, #""file": "../scale.xml""#),
        (#""file": "scale.xml""#, #""file": 3"#),
        (#""weights": "scale.bin""#, #""weights": """#),
        (#""layout": "NHWC""#, #""layout": "HWC""#),
        (#""layout": "NHWC""#, #""layout": 7"#),
        (#""input""#, #""in""#),
        (#""outputs""#, #""out""#),
        (#""meaning""#, #"meaning"#),
        ("    6,\n", "    6.5,\n"),
        ("    6,\n", "    -6,\n"),
        ("    6,\n", "    1e300,\n"),
        ("    6,\n", "    9999999999,\n"),
        ("    6,\n", "    \"6\",\n"),
        ("    6,\n", "    6, 6,\n"),
        ("      0,\n      1\n", "      1,\n      0\n"),
        ("      0,\n      1\n", "      0,\n      1e99\n"),
    ])
    func refusesMalformedDescriptions(_ old: String, _ new: String) throws {
        let directory = try TemporaryDirectory()
        try directory.copyFixture("scale")
        try directory.edit("scale.json", old, new)
        let error = thrown(InferenceError.self) { try directory.store.model(named: "scale") }
        guard case .modelCorrupt(directory.path + "/scale.json", _) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }

    @Test func refusesHugeDescriptions() throws {
        let directory = try TemporaryDirectory()
        try directory.write(String(repeating: " ", count: 2 << 20), to: "big.json")
        #expect(throws: InferenceError.self) { try directory.store.model(named: "big") }
    }

    @Test(.enabled(if: Place.hasModels, "needs .gst-people/models: run pipelines/setup"))
    func findsThePreparedModels() throws {
        let directory = Place.setUp + "/models"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        #expect(names.count > 3)
        for name in names {
            #expect(try ModelStore(directories: [directory]).model(named: name).name == name)
        }
    }
}
