import Foundation
import TestSupport
import Testing

/// `gst-people photo` and `video` with `--heads`.
struct HeadsOptionTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns the number of faces that are found in each frame of a file.
    private func faces(_ path: String) throws -> [Int] {
        let result = try Subprocess.run(Tool.path, ["faces", path])
        guard result.status == 0 else { throw SetupFailure(result.output) }
        return objects(result).map { ($0["faces"] as? [Any])?.count ?? -1 }
    }

    /// Without another option the background stays, and only the head changes.
    @Test(arguments: ["blur", "pixelate", "cover"])
    func photosKeepAllButTheHead(_ heads: String) throws {
        let before = try Frame.picture(Checkout.astronaut.path, "video/x-raw,format=RGB")
        let after = try Tool.photo(scratch.path("out.png"), ["--heads=\(heads)"])
        #expect(try faces(Checkout.astronaut.path) == [1] && faces(scratch.path("out.png")) == [0])
        let differs = { (x: Int, y: Int) in
            (0..<3).contains { before.samples($0)[y][x] != after.samples($0)[y][x] }
        }
        // The nose, and corners of the picture where nobody is.
        #expect(differs(230, 130))
        #expect([(8, 8), (500, 8), (8, 500)].allSatisfy { !differs($0.0, $0.1) })
    }

    @Test func aBackgroundCanBeChosenToo() throws {
        let frame = try Tool.photo(scratch.path("out.png"), ["--heads=cover", "--color=00ff00"])
        #expect((0..<3).map { frame.samples($0)[8][8] } == [0, 255, 0])
        #expect(try faces(scratch.path("out.png")) == [0])
    }

    @Test func peopleCanBeExcepted() throws {
        let output = scratch.path("out.png")
        let group = try scratch.group()
        for (option, count) in [("--heads-except=2", 1), ("--heads-of=2", 2), ("--heads-at=0.42,0.7", 2)] {
            let result = try Subprocess.run(
                Tool.path, ["photo", group, output, "--force", "--quality=fast", "--heads=cover", option])
            #expect(result.status == 0, "\(result.output)")
            #expect(try faces(output) == [count], "\(option)")
        }
    }

    @Test func noFrameOfAVideoShowsAFace() throws {
        let input = try scratch.threePeople()
        #expect(try faces(input) == Array(repeating: 3, count: 10))
        let output = try Tool.make(input, scratch.path("out.mp4"), "--heads=pixelate")
        #expect(try faces(output) == Array(repeating: 0, count: 10))
    }

    @Test(arguments: ["--heads=none", "--heads-of=x", "--heads-at=0.5"])
    func refusesOtherValues(_ option: String) throws {
        let result = try Tool.run(Checkout.astronaut.path, scratch.path("out.png"), option, command: "photo")
        #expect(result.status == 2, "\(result.output)")
        #expect(scratch.names == [])
    }
}
