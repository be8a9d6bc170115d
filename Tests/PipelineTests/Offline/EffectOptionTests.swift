import Foundation
import TestSupport
import Testing

/// Options that set properties of `personsegment` and `blendmask`.
struct EffectOptionTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Options, and the same as properties; each changes the portrait on green.
    @Test(arguments: [
        (
            ["--color=00ff00", "--shadow=1", "--shadow-x=5", "--shadow-y=-5", "--shadow-radius=1"],
            "", "background-color=0xff00ff00 shadow-opacity=1 shadow-x=5 shadow-y=-5 shadow-radius=1"
        ),
        (
            ["--color=00ff00", "--light-wrap=1", "--decontaminate=true"], "",
            "background-color=0xff00ff00 light-wrap=1 decontaminate=true"
        ),
        (
            ["--color=00ff00", "--halo-width=3", "--halo-color=0000ff"], "",
            "background-color=0xff00ff00 halo-width=3 halo-color=0xff0000ff"
        ),
        (
            ["--original", "--invert", "--desaturate=1", "--exposure=-2"], "",
            "background-source=original invert=true desaturate=1 exposure=-2"
        ),
        (
            ["--color=00ff00", "--feather=5", "--expand=-3", "--threshold=0.5", "--min-area=1"],
            "feather=5 expand=-3 threshold=0.5 min-area=1", "background-color=0xff00ff00"
        ),
        (
            ["--color=00ff00", "--instances-at=0.45,0.3", "--show=mask"], "instance-masks=true",
            "background-color=0xff00ff00 instances-at=0.45,0.3 show=mask"
        ),
        (
            ["--color=00ff00", "--instances-except=1"], "instance-masks=true",
            "background-color=0xff00ff00 instances-except=1"
        ),
    ])
    func optionsAreTheElementsProperties(_ options: [String], _ segment: String, _ blend: String) throws {
        let line =
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert ! video/x-raw,format=RGB "
            + "! personsegment quality=fast \(segment) ! blendmask \(blend) ! pngenc"
        let expected = try Frame.picture(try scratch.clip("expected.png", line), "video/x-raw,format=RGB")
        let result = try Tool.photo(scratch.path("out.png"), options)
        #expect(meanDifference(result, expected) < 0.1)
        let plain = try Tool.photo(scratch.path("plain.png"), [options[0]])
        #expect(meanDifference(result, plain) > 0.1)
    }

    /// The corner shows a checkered picture behind the portrait.
    @Test func picturesBehindThePeopleAreBlurred() throws {
        let checkers = try scratch.clip(
            "checkers.png",
            "videotestsrc num-buffers=1 pattern=checkers-8 ! \(caps("I420", 512, 512)) ! videoconvert ! pngenc"
        )
        let contrasts = try [["--blur=30"], []].map { options in
            let frame = try Tool.photo(
                scratch.path("blurred\(options.count).png"), ["--background", checkers] + options)
            let corner = frame.samples(0)[..<64].flatMap { $0[..<64] }
            return Int(corner.max() ?? 0) - Int(corner.min() ?? 0)
        }
        #expect(contrasts[0] < 60 && contrasts[1] > 120, "\(contrasts)")
    }

    /// Ranges in the help are those of the elements, and values outside are refused before anything is
    /// written.
    @Test func rangesInTheHelpAreTheElements() throws {
        let help = try Subprocess.run(Tool.path, ["photo", "--help"]).output
        let ranges = help.matches(of: #/--([a-z-]+)=\S+ .*: (-?[0-9]+) to (-?[0-9]+)\n/#)
        #expect(ranges.count > 15)
        for range in ranges {
            let (name, low, high) = (range.1, try #require(Int(range.2)), try #require(Int(range.3)))
            for value in [low - 1, high + 1] {
                let arguments = ["photo", "no.png", scratch.path("out.png"), "--\(name)=\(value)"]
                let result = try Subprocess.run(Tool.path, arguments)
                #expect(result.status == 2, "\(result.output)")
            }
        }
        #expect(scratch.names == [])
    }
}
