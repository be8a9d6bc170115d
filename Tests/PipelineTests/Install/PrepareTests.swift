import Foundation
import TestSupport
import Testing

/// `pipelines/models/prepare.py`, with a wheel made for the test.
struct PrepareTests {
    private let scratch: Scratch

    /// SHA-256 of the two files in the wheel, which contain "model" and "weights".
    private static let model = "9372c470eeadd5ecd9c3c74c2b3cb633f8e2f2fad799250a0f70d652b6b825e4"
    private static let weights = "9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c"

    init() throws {
        scratch = try Scratch()
        for folder in ["package", "wheels", "out"] {
            try FileManager.default.createDirectory(
                atPath: scratch.path(folder), withIntermediateDirectories: true)
        }
        for name in ["model", "weights"] {
            try Data(name.utf8).write(to: URL(fileURLWithPath: scratch.path("package/" + name)))
        }
        let zipped = try Subprocess.run(
            "python3", ["-m", "zipfile", "-c", "wheels/some_package-1.0-py3-none-any.whl", "package"],
            directory: scratch.url)
        #expect(zipped.status == 0, "\(zipped.output)")
    }

    /// Prepares a model whose manifest has these hashes, and this path of the weights in the wheel.
    private func prepare(
        model: String = model, weights: String = weights, path: String = "package/weights"
    ) throws -> Subprocess {
        let manifest = """
            {"origin": {"package": "some-package", "version": "1.0", "path": "package/model",
                "sha256": "\(model)", "weights": {"path": "\(path)", "sha256": "\(weights)"}},
             "file": "prepared", "files": [{"name": "prepared", "sha256": "\(Self.model)"}]}
            """
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: scratch.path("some.json")))
        let program = Checkout.root.appendingPathComponent("pipelines/models/prepare.py").path
        return try Subprocess.run(
            "python3", ["-B", program, "some.json", "wheels", "out"], directory: scratch.url)
    }

    private func prepared() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")))
    }

    @Test func takesTheModelAndItsManifest() throws {
        let result = try prepare()
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
        #expect(try prepared() == ["prepared", "some.json"])
        #expect(try String(contentsOfFile: scratch.path("out/prepared"), encoding: .utf8) == "model")
    }

    @Test func takesTheModelOutOfASourceArchive() throws {
        let packed = try Subprocess.run(
            "python3", ["-m", "tarfile", "-c", "wheels/some-package-1.0.tar.gz", "package"],
            directory: scratch.url)
        #expect(packed.status == 0, "\(packed.output)")
        try FileManager.default.removeItem(
            atPath: scratch.path("wheels/some_package-1.0-py3-none-any.whl"))
        let result = try prepare()
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
        #expect(try prepared() == ["prepared", "some.json"])
        #expect(try prepare(path: "package/none").status == 1)
    }

    @Test func refusesAnotherModel() throws {
        let result = try prepare(model: Self.weights)
        #expect(result.status == 1, "\(result.output)")
        #expect(try prepared().isEmpty)
    }

    @Test func refusesOtherWeights() throws {
        let result = try prepare(weights: Self.model)
        #expect(result.status == 1, "\(result.output)")
        #expect(try prepared().isEmpty)
    }

    @Test func refusesAPackageWithoutTheWeights() throws {
        let result = try prepare(path: "package/none")
        #expect(result.status == 1, "\(result.output)")
        #expect(try prepared().isEmpty)
    }
}
