import Foundation
import TestSupport
import Testing

/// The example that changes the background when a hand is raised.
struct RaisedHandTests {
    /// Upside down, the hands of the clip are above the heads from the first frame on; upright, they are
    /// below.
    @Test(arguments: [("180", 1), ("identity", 0)])
    func aHandAboveTheHeadChangesTheBackgroundOnce(_ turn: String, _ changes: Int) throws {
        let program = Checkout.root.appendingPathComponent("pipelines/examples/raised_hand.py").path
        let source =
            "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! videoflip video-direction=\(turn) "
            + "! identity eos-after=4"
        let pictures = [Checkout.astronaut.path, Checkout.clip.path]
        let result = try Subprocess.run(
            "/usr/bin/python3", ["-W", "ignore", program, source, "fakesink"] + pictures)
        #expect(result.status == 0, "\(result.output)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == changes, "\(result.output)")
        #expect(lines.allSatisfy { $0 == "0.00 \(pictures[1])" || $0 == "0.08 \(pictures[1])" }, "\(lines)")
    }
}
