import Foundation
import Inference
import TestSupport
import Testing

/// Model files match their descriptions, or are not used.
@Suite(.enabled(if: Place.hasOpenVINO, "needs .gst-people/openvino: run pipelines/setup"))
struct DamagedModelTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.copyFixture("free_size")
    }

    private var model: ModelInfo { get throws { try directory.store.model(named: "free_size") } }

    private func compile(_ engine: Engine, width: Int = 4) throws -> CompiledModel {
        try engine.compiledModel(model, width: width, height: 2)
    }

    /// Changes one byte in the middle of a file, and keeps its size.
    private func damage(_ name: String) throws {
        let url = URL(filePath: directory.path + "/" + name)
        var bytes = try Data(contentsOf: url)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: url)
    }

    private func expectCorrupt(_ name: String, _ body: () throws -> CompiledModel) {
        let error = thrown(InferenceError.self, by: body)
        guard case .modelCorrupt(directory.path + "/" + name, _) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["free_size.xml", "free_size.bin"])
    func oneChangedByteIsAnErrorThatNamesTheFile(_ name: String) throws {
        try damage(name)
        expectCorrupt(name) { try compile(.forTests()) }
        expectCorrupt(name) { try compile(.forTests(cache: directory.path + "/cache")) }
    }

    /// A process reads a file again if the file has changed.
    @Test func aFileThatIsDamagedLaterIsDetected() throws {
        let engine = Engine.forTests()
        _ = try compile(engine)
        try damage("free_size.bin")
        expectCorrupt("free_size.bin") { try compile(engine, width: 6) }
        try FileManager.default.removeItem(atPath: directory.path + "/free_size.bin")
        try FileManager.default.copyItem(
            atPath: Place.fixtures + "/free_size.bin", toPath: directory.path + "/free_size.bin")
        _ = try compile(engine, width: 6)
    }

    @Test func aMalformedHashIsRefused() throws {
        try directory.edit("free_size.json", "\"sha256\": \"", "\"sha256\": \"no hash ")
        let error = thrown(InferenceError.self) { try model }
        guard case .modelCorrupt(directory.path + "/free_size.json", _) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }

    /// A user's own file has no hash, even with the name of a model that has one.
    @Test func aModelOfTheUsersOwnNeedsNoHash() throws {
        let other = try directory.makeDirectory("other")
        for ending in [".xml", ".bin"] {
            try FileManager.default.copyItem(
                atPath: Place.fixtures + "/free_size" + ending, toPath: other + "/free_size" + ending)
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: other + "/free_size.xml"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("<!-- mine -->\n".utf8))
        try handle.close()
        let own = try directory.store.model(atPath: other + "/free_size.xml", like: "free_size")
        _ = try Engine.forTests().compiledModel(own, width: 4, height: 2)
    }

    @Test func aFileThatMayNotBeReadIsNotCalledCorrupt() throws {
        try FileManager.default.removeItem(atPath: directory.path + "/free_size.json")
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/free_size.json", withDestinationPath: "/proc/self/mem")
        let error = thrown(InferenceError.self) { try model }
        guard case .modelUnreadable(directory.path + "/free_size.json", _) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }

    /// Which files could be opened is another question than whether this one is sound.
    @Test(arguments: [EMFILE, ENFILE, ENOMEM])
    func aShortageIsNotReportedAsADamagedFile(_ failure: Int32) {
        guard case .resourcesExhausted = InferenceError.unreadable("model.json", failure) else {
            Issue.record("a shortage is reported as a matter of the file")
            return
        }
        #expect(
            InferenceError.unreadable("model.json", EACCES)
                == .modelUnreadable(path: "model.json", why: "Permission denied"))
    }
}
