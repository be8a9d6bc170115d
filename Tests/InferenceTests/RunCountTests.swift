import Inference
import Synchronization
import TestSupport
import Testing

/// Tests of the numbers of runs that the log has; one at a time, because the log has one writer.
@Suite(.serialized, .enabled(if: Place.hasOpenVINO, "needs .gst-people/openvino: run pipelines/setup"))
struct RunCountTests {
    private static let lines = Mutex<[String]>([])

    private func counts(of path: String, _ body: () throws -> Void) rethrows -> [RunCount] {
        InferenceLog.setWriter { line in Self.lines.withLock { $0.append(line) } }
        defer { InferenceLog.setWriter { _ in } }
        try body()
        return Self.lines.withLock { lines in
            defer { lines = [] }
            return lines.compactMap { RunCount($0) }.filter { $0.model.path == path }
        }
    }

    @Test func aReleasedRequestLogsItsRuns() throws {
        let directory = try TemporaryDirectory()
        try directory.copyFixture("scale")
        let info = try ModelStore(directories: [directory.path]).model(named: "scale")
        var options = ComputeOptions()
        options.parallelism = .oneThread
        let model = try Engine.forTests().compiledModel(info, options: options)
        let found = try counts(of: info.path) {
            let request = try InferenceRequest(model)
            for _ in 0..<3 { try request.run() }
            _ = try InferenceRequest(model)
        }
        #expect(found.map(\.count) == [3])
        #expect(found.first?.model.inputShape == [1, 4, 6, 3])
        #expect(found.first?.model.parallelism == .oneThread)
    }

    @Test(arguments: [
        "", "runs:", "runs: 3 1x2 oneThread", "runs: x 1x2 oneThread /a", "runs: 3 1x2 manyThreads /a",
        "compiled /a [1] for CPU in 3 s",
    ])
    func otherLinesAreNoCounts(_ line: String) { #expect(RunCount(line) == nil) }

    @Test func pathsMayContainSpaces() throws {
        let line = "0:00:01.5 INFO people-inference runs: 57 1x3x288x512 wholeMachine /a b/modnet.xml"
        let count = try #require(RunCount(line))
        #expect(count.count == 57 && count.model.path == "/a b/modnet.xml")
        #expect(count.model.inputShape == [1, 3, 288, 512])
        #expect(RunCount(count.description)?.model == count.model)
    }
}
