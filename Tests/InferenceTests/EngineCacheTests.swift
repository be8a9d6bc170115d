import Foundation
import Inference
import Testing

/// The cache of compiled models is a help, never a condition.
@Suite(.enabled(if: Place.hasOpenVINO, "needs .gst-people/openvino: run pipelines/setup"))
struct EngineCacheTests {
    private func run(cache: String) throws {
        let request = try InferenceRequest(Engine.forTests(cache: cache).compiledModel(fixture("scale")))
        request.input[0] = 3
        try request.run()
        #expect(request.outputs[1][0] == 6)
    }

    /// Compiled models lie in folders, one for each version of a file.
    private func blobs(_ cache: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: cache).filter { $0.hasSuffix(".blob") }
            .map { cache + "/" + $0 }
    }

    @Test func isMadeAndUsed() throws {
        let directory = try TemporaryDirectory()
        let cache = directory.path + "/new/cache"
        try run(cache: cache)
        let first = try blobs(cache)
        #expect(first.count == 1)
        try run(cache: cache)
        #expect(try blobs(cache) == first)
    }

    @Test func damagedCacheIsReplaced() throws {
        let directory = try TemporaryDirectory()
        try run(cache: directory.path)
        let blob = try #require(try blobs(directory.path).first)
        let whole = try Data(contentsOf: URL(filePath: blob))
        for damaged in [Data(), whole.prefix(whole.count / 2), Data(repeating: 0x5A, count: whole.count)] {
            try damaged.write(to: URL(filePath: blob))
            try run(cache: directory.path)
        }
    }

    @Test(arguments: ["/proc/nonexistent/cache", "/dev/null"])
    func unusableDirectory(_ cache: String) throws {
        try run(cache: cache)
    }
}
