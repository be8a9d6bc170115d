import CGStreamer
import TestSupport
import Testing

/// What would show nothing but a background is said, once.
struct SilenceTests {
    private func warnings(_ elements: String, frames: Int = 60) throws -> [String] {
        let pipeline = try Pipeline(
            "videotestsrc num-buffers=\(frames) ! video/x-raw,format=I420,width=64,height=48,framerate=30/1 "
                + "! \(elements) ! fakesink")
        return pipeline.play().filter { $0.kind != .endOfStream }.map { "\($0.kind): \($0.text)" }
    }

    @Test func saysThatNothingMakesMasks() throws {
        let warnings = try warnings("blendmask", frames: 200)
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("warning") == true)
        #expect(warnings.first?.contains("Put personsegment before blendmask") == true)
    }

    @Test func saysThatMasksAreLost() throws {
        let warnings = try warnings(
            "personsegment quality=fast ! queue ! videoflip video-direction=horiz ! blendmask")
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("although personsegment is upstream") == true)
    }

    @Test func saysThatTimesAreChanged() throws {
        let warnings = try warnings(
            "personsegment quality=fast ! videorate ! video/x-raw,framerate=7/1 ! blendmask", frames: 75)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("another frame's") == true)
    }

    @Test func saysNothingOfASecondOrWithMasks() throws {
        #expect(try warnings("blendmask", frames: 29) == [])
        #expect(try warnings("personsegment quality=fast ! blendmask") == [])
        #expect(try warnings("blendmask background-source=original") == [])
    }

    @Test(arguments: ["picture", "clip"])
    func saysThatABackgroundIsMissing(_ source: String) throws {
        let warnings = try warnings("blendmask background-source=\(source)", frames: 20)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("background names none") == true)
    }
}
