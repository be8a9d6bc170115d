import Foundation
import Inference
import Testing

/// The cache of compiled models is an aid, never a requirement.
@Suite(.enabled(if: Place.hasOpenVINO, "needs .gst-people/openvino: run pipelines/setup"))
struct EngineCacheTests {
    private func run(cache: String) throws {
        let request = try InferenceRequest(Engine.forTests(cache: cache).compiledModel(fixture("scale")))
        request.input[0] = 3
        try request.run()
        #expect(request.outputs[1][0] == 6)
    }

    /// Runs a model that accepts any size, for which OpenVINO's own cache is of little use.
    private func runAnySize(cache: String, width: Int = 4) throws {
        let model = try Engine.forTests(cache: cache).compiledModel(
            fixture("free_size"), width: width, height: 2)
        let request = try InferenceRequest(model)
        request.input.update(repeating: 3)
        try request.run()
        #expect(request.outputs[0].count == 2 * width && request.outputs[0].allSatisfy { abs($0 - 3) < 1e-5 })
    }

    /// Returns the compiled models, which are in folders, one for each version of a file.
    private func blobs(_ cache: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: cache).filter { $0.hasSuffix(".blob") }
            .map { cache + "/" + $0 }
    }

    @Test func aFolderIsMadeAndItsFilesAreUsedAgain() throws {
        let directory = try TemporaryDirectory()
        let cache = directory.path + "/new/cache"
        try run(cache: cache)
        let first = try blobs(cache)
        #expect(first.count == 1)
        try run(cache: cache)
        #expect(try blobs(cache) == first)
    }

    @Test func aChosenSizeStaysInTheCache() throws {
        let directory = try TemporaryDirectory()
        try runAnySize(cache: directory.path)
        let first = try blobs(directory.path)
        #expect(first.count == 1)
        let written = try modificationDate(of: first)
        try runAnySize(cache: directory.path)
        #expect(try blobs(directory.path) == first && modificationDate(of: first) == written)
        try runAnySize(cache: directory.path, width: 6)
        #expect(try blobs(directory.path).count == 2)
    }

    /// Each engine replaces a process: within a process, a model in use is not loaded again.
    @Test func theSizeThatWasUsedLastIsFound() throws {
        let directory = try TemporaryDirectory()
        let last = { () throws -> [Int]? in
            try Engine.forTests(cache: directory.path)
                .lastCompiledModel(fixture("free_size"), options: ComputeOptions())?.inputShape
        }
        #expect(try last() == nil)
        for width in [4, 6, 4] {
            try runAnySize(cache: directory.path, width: width)
            #expect(try last()?.contains(width) == true)
        }
        var others = ComputeOptions()
        others.parallelism = .oneThread
        let engine = Engine.forTests(cache: directory.path)
        #expect(try engine.lastCompiledModel(fixture("free_size"), options: others) == nil)
        #expect(try engine.lastCompiledModel(fixture("scale"), options: ComputeOptions()) == nil)
    }

    /// Processors with bfloat16 would compute in it if the device's properties were lost.
    @Test(.enabled(if: Place.hasModels, "needs .gst-people/models: run pipelines/setup"))
    func aModelThatIsReadBesideOthersStaysExact() throws {
        let directory = try TemporaryDirectory()
        let store = ModelStore(directories: [Place.setUp + "/models"])
        let (matting, others) = (
            try store.model(named: "modnet"),
            try ["selfie_segmentation", "person_detection"].map { try store.model(named: $0) }
        )
        var options = ComputeOptions()
        options.parallelism = .wholeMachine
        let run = { @Sendable [options] (engine: Engine) throws -> [Float] in
            let request = try InferenceRequest(
                engine.compiledModel(matting, width: 128, height: 128, options: options))
            for i in request.input.indices { request.input[i] = Float(i % 97) / 97 }
            try request.run()
            return Array(request.outputs[0])
        }
        let expected = try run(Engine.forTests(cache: directory.path))
        for _ in 0..<12 {
            // Each engine replaces a process that starts.
            let engine = Engine.forTests(cache: directory.path)
            DispatchQueue.concurrentPerform(iterations: 1 + others.count) { index in
                do {
                    if index > 0 { return _ = try engine.compiledModel(others[index - 1]) }
                    #expect(try run(engine) == expected)
                } catch {
                    Issue.record(error)
                }
            }
        }
    }

    private func modificationDate(of files: [String]) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: #require(files.first))[.modificationDate] as? Date
    }

    @Test func aDamagedChosenSizeIsReplaced() throws {
        let directory = try TemporaryDirectory()
        try runAnySize(cache: directory.path)
        let blob = try #require(try blobs(directory.path).first)
        let whole = try Data(contentsOf: URL(filePath: blob))
        for damaged in [Data(), whole.prefix(whole.count / 2), Data(repeating: 0x5A, count: whole.count)] {
            try damaged.write(to: URL(filePath: blob))
            try runAnySize(cache: directory.path)
            #expect(try Data(contentsOf: URL(filePath: blob)).count == whole.count)
        }
    }

    /// The byte may be anywhere: OpenVINO itself uses many such files.
    @Test func everyDamagedByteIsDetected() throws {
        let directory = try TemporaryDirectory()
        try run(cache: directory.path)
        try runAnySize(cache: directory.path)
        for blob in try blobs(directory.path) {
            let whole = try Data(contentsOf: URL(filePath: blob))
            for place in stride(from: 0, to: whole.count, by: max(1, whole.count / 12)) + [whole.count - 1] {
                var damaged = whole
                damaged[place] ^= 0x10
                try damaged.write(to: URL(filePath: blob))
                try run(cache: directory.path)
                try runAnySize(cache: directory.path)
                let replaced = try Data(contentsOf: URL(filePath: blob))
                #expect(replaced != damaged && replaced.count == whole.count)
            }
        }
    }

    /// OpenVINO's own cache for other devices is checked as well.
    @Test func everyDamagedByteOfOtherDevicesIsDetected() throws {
        let directory = try TemporaryDirectory()
        var options = ComputeOptions()
        options.device = "AUTO"
        let run = {
            let model = try Engine.forTests(cache: directory.path)
                .compiledModel(fixture("scale"), options: options)
            let request = try InferenceRequest(model)
            request.input[0] = 3
            try request.run()
            #expect(request.outputs[1][0] == 6)
        }
        try run()
        let blob = try #require(try blobs(directory.path).first)
        let whole = try Data(contentsOf: URL(filePath: blob))
        for place in stride(from: 0, to: whole.count, by: max(1, whole.count / 12)) {
            var damaged = whole
            damaged[place] ^= 0x10
            try FileManager.default.removeItem(atPath: blob)
            try damaged.write(to: URL(filePath: blob))
            try run()
            #expect(try Data(contentsOf: URL(filePath: blob)) != damaged)
        }
    }

    /// A compiled model for one size fits no other.
    @Test func aFileUnderAnotherNameIsNotUsed() throws {
        let directory = try TemporaryDirectory()
        try runAnySize(cache: directory.path)
        let four = try #require(try blobs(directory.path).first)
        try runAnySize(cache: directory.path, width: 6)
        let six = try #require(try blobs(directory.path).first { $0 != four })
        let whole = try Data(contentsOf: URL(filePath: four))
        try Data(contentsOf: URL(filePath: six)).write(to: URL(filePath: four))
        try runAnySize(cache: directory.path)
        #expect(try Data(contentsOf: URL(filePath: four)) == whole)
    }

    /// A folder that others may write is neither used nor written.
    @Test func aFolderThatOthersMayWriteIsNotUsed() throws {
        let directory = try TemporaryDirectory()
        try run(cache: directory.path)
        let blob = try #require(try blobs(directory.path).first)
        let folder = URL(filePath: blob).deletingLastPathComponent().path
        for (path, mode) in [(directory.path, 0o775), (folder, 0o757), (directory.path, 0o1777)] {
            try FileManager.default.removeItem(atPath: blob)
            try set(mode: mode, of: path)
            try run(cache: directory.path)
            #expect(try blobs(directory.path) == [])
            try set(mode: 0o755, of: path)
            try run(cache: directory.path)
            #expect(try blobs(directory.path) == [blob])
        }
    }

    /// Files that belong to others, or that others may write, are replaced.
    @Test func aFileThatOthersMayWriteIsReplaced() throws {
        let directory = try TemporaryDirectory()
        try run(cache: directory.path)
        let blob = try #require(try blobs(directory.path).first)
        try set(mode: 0o662, of: blob)
        try run(cache: directory.path)
        #expect(try mode(of: blob) == 0o600)
        guard geteuid() == 0 else { return }
        try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: blob)
        try run(cache: directory.path)
        #expect(try FileManager.default.attributesOfItem(atPath: blob)[.ownerAccountID] as? Int == 0)
        try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: directory.path)
        try FileManager.default.removeItem(atPath: blob)
        try run(cache: directory.path)
        #expect(try blobs(directory.path) == [])
    }

    private func set(mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
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
    func modelsRunWithoutAUsableFolder(_ cache: String) throws {
        try run(cache: cache)
        try runAnySize(cache: cache)
    }
}
