import Foundation
import Inference
import TestSupport
import Testing

@Suite struct RuntimeLibraryTests {
    private func open(_ directories: [String]) throws -> RuntimeLibrary {
        try RuntimeLibrary(searching: directories, orSystem: false)
    }

    @Test func reportsAMissingLibrary() throws {
        let empty = try TemporaryDirectory()
        let searched = [empty.path, "/nonexistent"]
        let error = thrown(InferenceError.self) { try open(searched) }
        #expect(error == .runtimeNotFound(searched: searched))
    }

    @Test func refusesAFileThatIsNoLibrary() throws {
        let directory = try TemporaryDirectory()
        try directory.write("no ELF", to: "libopenvino_c.so.9999")
        let error = thrown(InferenceError.self) { try open([directory.path]) }
        guard case .runtimeUnusable(directory.path + "/libopenvino_c.so.9999", _) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }

    @Test func refusesALibraryWithoutTheFunctions() throws {
        let directory = try TemporaryDirectory()
        let source = directory.path + "/empty.c"
        try directory.write("int nothing;\n", to: "empty.c")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["cc", "-shared", "-o", directory.path + "/libopenvino_c.so", source]
        try compiler.run()
        compiler.waitUntilExit()
        let engine = Engine(runtimeDirectories: [directory.path], cacheDirectory: nil, searchesSystem: false)
        let error = thrown(InferenceError.self) { try engine.compiledModel(fixture("scale")) }
        guard case .runtimeUnusable(directory.path + "/libopenvino_c.so", _) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }

    @Test(.enabled(if: Place.hasOpenVINO, "needs .gst-people/openvino: run pipelines/setup"))
    func choosesTheTestedVersion() throws {
        let directory = try TemporaryDirectory()
        try directory.write("no ELF", to: "libopenvino_c.so.9999")
        let real = Place.setUp + "/openvino/libopenvino_c.so.2641"
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/libopenvino_c.so.2641", withDestinationPath: real)
        #expect(try open(["/nonexistent", directory.path]).path == directory.path + "/libopenvino_c.so.2641")
    }
}
