import Foundation
import TestSupport
import Testing

/// OBS itself, with its windows on a screen that nobody sees.
@Suite(.enabled(if: OBSHost.obstacle == nil, OBSHost.comment))
struct OBSProgramTests {
    private struct Report: Decodable {
        let shares: [Double]
        let status: Int
        let leaks: [Int]
    }

    /// A scene shows people before its own background, and nothing of the room while models are loaded.
    @Test func showsPeopleBeforeTheScene() throws {
        let scratch = try Scratch()
        let server = try #require(try XServer(width: 1280, height: 800))
        let result = try Subprocess.run(
            "/usr/bin/python3",
            [Checkout.script("check_obs.py"), OBSHost.module, Checkout.clip.path, scratch.path("obs")],
            environment: ["DISPLAY": server.display])
        let line = try #require(result.output.split(separator: "\n").last, "\(result.output)")
        let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
        let last = try #require(report.shares.last)
        #expect(last > 0.2 && last < 0.7 && report.shares.dropLast().allSatisfy { $0 > 0.99 }, "\(line)")
        #expect(report.status == 0 && report.leaks == [0], "\(line)")
    }
}
