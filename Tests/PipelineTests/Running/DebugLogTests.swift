import TestSupport
import Testing

/// What `GST_DEBUG` shows of the elements.
struct DebugLogTests {
    private func log(_ debug: String) throws -> [Substring] {
        let line =
            "videotestsrc num-buffers=2 ! video/x-raw,format=I420,width=64,height=48 "
            + "! personsegment name=first quality=fast ! facepose name=second ! blendmask name=third ! fakesink"
        let result = try Subprocess.run(
            "gst-launch-1.0", line.split(separator: " ").map { String($0) },
            environment: ["GST_DEBUG": debug, "GST_DEBUG_NO_COLOR": "1"])
        return result.output.split(separator: "\n").filter {
            $0.contains("PeoplePlugin/") || $0.contains("GStreamerKit/")
        }
    }

    @Test func tellsTheStoryOfEveryFrame() throws {
        let lines = try log("personsegment:6,facepose:6,blendmask:6")
        for name in ["<first>", "<second>", "<third>"] {
            #expect(
                lines.filter { $0.contains(name) && $0.contains(" LOG ") && $0.contains("frame ") }.count == 2
            )
        }
        #expect(lines.contains { $0.contains("Element.swift:") && $0.contains("process(_:)") })
    }

    @Test func tellsOfDecisionsAndNothingPerFrame() throws {
        let lines = try log("personsegment:5,facepose:5,blendmask:5,people-inference:5")
        #expect(!lines.contains { $0.contains(" LOG ") })
        for word in ["I420 64x48", "level fast", "compiled", "opened OpenVINO"] {
            #expect(lines.contains { $0.contains(word) }, "\(word)")
        }
    }
}
