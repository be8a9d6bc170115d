import Foundation
import TestSupport
import Testing

/// `Tests/evaluate rotation`, run as a user runs it.
struct RotationEvaluationTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func evaluate(_ arguments: [String]) throws -> Subprocess {
        let program = Checkout.root.appendingPathComponent("Tests/evaluate").path
        return try Subprocess.run(program, ["rotation", scratch.url.path] + arguments)
    }

    /// Returns the rotation, fraction found, mean, 95th percentile and largest error of roll, and other
    /// columns, of every line that has them.
    private func rows(_ result: Subprocess) -> [String: [Double]] {
        let fields = result.output.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }
        let rows = fields.filter { $0.count == 7 && $0[2] == "%" }
        return Dictionary(
            rows.map { ("\($0[0])", $0[1...].compactMap { Double($0) }) }, uniquingKeysWith: { one, _ in one }
        )
    }

    @Test func followsThePortraitAllTheWayRound() throws {
        try FileManager.default.copyItem(atPath: Checkout.astronaut.path, toPath: scratch.path("a.png"))
        let result = try evaluate(["--step", "120"])
        #expect(result.status == 0, "\(result.output)")
        let rows = rows(result)
        #expect(Set(rows.keys) == ["0", "120", "240", "all"])
        for row in rows.values {
            #expect(row.count == 5 && row[0] == 100 && row[4] == 0, "\(row)")
            // Resampling moves the points a little: a copy of the upright image would show no error at all.
            #expect(row[1] < 1 && row[3] < 1 && row[3] > 0, "\(row)")
        }
    }

    @Test func reportsWhenThereIsNobody() throws {
        let empty = try evaluate([])
        #expect(empty.status == 1 && rows(empty).isEmpty, "\(empty.output)")
        let white = try Subprocess.launch(
            "videotestsrc num-buffers=1 pattern=white ! pngenc ! filesink location=\(scratch.path("a.png"))")
        #expect(white.status == 0, "\(white.output)")
        let result = try evaluate(["--step", "180"])
        #expect(result.status == 0, "\(result.output)")
        // No face is found, so none is rotated wrongly or superfluous.
        #expect(rows(result).mapValues { $0 } == ["0": [0, 0], "180": [0, 0], "all": [0, 0]])
    }
}
