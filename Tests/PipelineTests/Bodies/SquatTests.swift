import Foundation
import TestSupport
import Testing

/// The example that counts squats.
struct SquatTests {
    /// Deep squats count once each, half and hidden ones do not, and the person in front is tracked.
    @Test(arguments: [
        (["0", "0", "1"], 3), (["0", "0.1", "1"], 3), (["0.5", "0", "1"], 0), (["0", "0", "0.2"], 0),
    ])
    func countsDeepSquats(_ arguments: [String], _ expected: Int) throws {
        let result = try script("count_squats.py", arguments)
        #expect(result.status == 0, "\(result.output)")
        #expect(objects(result).first?["count"] as? Int == expected, "\(result.output)")
    }

    /// The people of the packaged clip stand; nothing else is printed, such as warnings of deprecated
    /// functions.
    @Test func countsNoSquatsInTheClip() throws {
        let program = Checkout.root.appendingPathComponent("pipelines/examples/squats.py").path
        let source =
            "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! identity eos-after=4"
        let result = try Subprocess.run(program, [source])
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    }
}
