import Foundation
import TestSupport
import Testing

/// `gst-people farm` without Ray.
struct FarmAdviceTests {
    /// The last line is a command to copy.
    @Test func namesTheCommandThatInstallsRay() throws {
        let scratch = try Scratch()
        let result = try Subprocess.run(
            Tool.path, ["farm", Checkout.clip.path, scratch.path("out")],
            environment: ["GST_PEOPLE_SETUP_DIR": scratch.path("set-up")])
        let command = result.output.split(separator: "\n").last?.trimmingCharacters(in: .whitespaces) ?? ""
        #expect(result.status == 5, "\(result.output)")
        #expect(command == Checkout.root.appendingPathComponent("pipelines/setup").path + " --with-farm")
    }
}
