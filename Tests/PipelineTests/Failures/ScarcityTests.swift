import CGStreamer
import Foundation
import TestSupport
import Testing

/// Loading models in a process that may open few files or has little memory: an error, never the end of the
/// program.
struct ScarcityTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func line(_ element: String) -> String {
        "videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=64,height=48 ! \(element) ! fakesink"
    }

    private static let elements = ["personsegment quality=fast", "personsegment", "facepose", "handpose"]

    @Test(arguments: elements)
    func reportsTooFewDescriptors(_ element: String) throws {
        for left in [0, 1, 2, 3, 4, 8, 16] {
            // GStreamer itself warns when it gets no descriptor, which is not tested here.
            let result = try script("scarce.py", ["\(left)", line(element)], environment: ["G_DEBUG": nil])
            #expect(result.status == 0, "\(left) left: \(result.output)")
            let message = try #require(objects(result).first, "\(left) left: \(result.output)")
            #expect(message["kind"] as? String == "error")
            #expect(message["code"] as? Int == Int(GST_RESOURCE_ERROR_FAILED.rawValue), "\(message)")
        }
        let result = try script("scarce.py", ["100", line(element)])
        #expect(objects(result).first?["kind"] as? String == "eos", "\(result.output)")
    }

    /// Whatever the limit is, the program ends by itself, with an error or at the end of the stream.
    @Test(arguments: elements)
    func endsByItselfWithLittleAddressSpace(_ element: String) throws {
        // ORC, which draws the source's frames, aborts where it gets no memory for its code; it needs none for backups.
        let variables = ["XDG_CACHE_HOME": scratch.path("cache"), "ORC_CODE": "backup"]
        // The registry is made without a limit.
        #expect(try Subprocess.launch(line(element), environment: variables).status == 0)
        for megabytes in [200, 300, 400, 500, 700] {
            let limit = ["prlimit", "--as=\(megabytes << 20)"]
            let result = try Subprocess.launch(
                line(element), prefix: limit, environment: variables, limit: 300)
            // gst-launch returns 255 for an error before the first frame; statuses of signals are above 128.
            #expect([0, 1, 255].contains(result.status), "\(megabytes) MB: \(result.output)")
        }
    }
}
