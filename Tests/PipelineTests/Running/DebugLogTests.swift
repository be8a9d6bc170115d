import TestSupport
import Testing

/// The elements' entries in the log of `GST_DEBUG`.
struct DebugLogTests {
    /// A line of the log.
    private struct Entry {
        let level, category, function: String
        /// The name of the element; empty for a line of no element.
        let element: String
    }

    /// Returns the log entries of the plugin.
    private func log(_ debug: String) throws -> [Entry] {
        let line =
            "videotestsrc num-buffers=2 ! video/x-raw,format=I420,width=64,height=48 "
            + "! personsegment name=first quality=fast ! facepose name=second ! blendmask name=third ! fakesink"
        let result = try Subprocess.run(
            "gst-launch-1.0", line.split(separator: " ").map { String($0) },
            environment: ["GST_DEBUG": debug, "GST_DEBUG_NO_COLOR": "1"])
        // Time, process, thread, level, category, file:line:function:<element>.
        let entry =
            #/\S+ +\d+ +\S+ +(\w+) +(\S+) (?:PeoplePlugin|GStreamerKit)\/[^:]+:\d+:(\S+):(?:<(\w+)>)? .*/#
        return result.output.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: entry).map {
                Entry(
                    level: String($0.1), category: String($0.2), function: String($0.3),
                    element: String($0.4 ?? ""))
            }
        }
    }

    /// Returns the log of a pipeline at the level of warnings.
    private func warnings(_ line: String) throws -> [Substring] {
        let result = try Subprocess.run(
            "gst-launch-1.0", ["-q"] + line.split(separator: " ").map { String($0) },
            environment: ["GST_DEBUG": "2", "GST_DEBUG_NO_COLOR": "1"])
        return result.output.split(separator: "\n").filter { $0.contains(" WARN ") }
    }

    /// Programs that do not look at messages leave no other trace.
    @Test func logsPostedWarningsAndErrors() throws {
        let frames = "videotestsrc num-buffers=40 ! video/x-raw,width=64,height=48,framerate=30/1"
        let warned = try warnings("\(frames) ! blendmask name=third ! fakesink")
        func has(_ words: [String], _ lines: [Substring]) -> Bool {
            lines.contains { line in words.allSatisfy { line.contains($0) } }
        }
        #expect(has([" blendmask ", "<third>", "warning: The people"], warned), "\(warned)")
        let failed = try warnings("\(frames) ! personsegment name=first model-path=/nowhere ! fakesink")
        #expect(has([" personsegment ", "<first>", " error: "], failed), "\(failed)")
    }

    @Test func logsEveryFrameAtLevelSix() throws {
        let frames = try log("personsegment:6,facepose:6,blendmask:6").filter { $0.level == "LOG" }
        for name in ["first", "second", "third"] {
            let functions = frames.filter { $0.element == name }.map(\.function)
            #expect(functions == ["process(_:)", "process(_:)"], "\(name): \(functions)")
        }
    }

    @Test func logsDecisionsButNoFramesAtLevelFive() throws {
        let entries = try log("personsegment:5,facepose:5,blendmask:5,people-inference:5")
        #expect(!entries.contains { $0.level == "LOG" })
        let told = Set(entries.map { [$0.category, $0.element] })
        #expect(
            told.isSuperset(of: [
                ["personsegment", "first"], ["facepose", "second"], ["blendmask", "third"],
                ["people-inference", ""],
            ]), "\(told)")
    }
}
