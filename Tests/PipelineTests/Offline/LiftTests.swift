import CGStreamer
import Foundation
import TestSupport
import Testing

/// `gst-people lift`: people as images with alpha.
struct LiftTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func lift(_ arguments: String...) throws -> Subprocess {
        try Subprocess.run(Tool.path, ["lift"] + arguments + ["--quality=fast"])
    }

    private func alpha(_ path: String) throws -> Frame.Samples {
        try Frame.picture(path, "video/x-raw,format=ARGB").samples(3)
    }

    @Test func liftsOneOfSeveralPeople() throws {
        let (group, output) = (try scratch.group(), scratch.path("out.png"))
        let all = try lift(group, output)
        #expect(all.status == 0, "\(all.output)")
        let together = try Frame.picture(output, "video/x-raw,format=ARGB")
        #expect(together.width > 700 && together.width <= 1080)
        // An existing file stays, unless `--force` is given.
        let again = try lift(group, output, "--at=0.42,0.7")
        #expect(again.status == 4, "\(again.output)")
        let one = try lift(group, output, "--at=0.42,0.7", "--force")
        #expect(one.status == 0, "\(one.output)")
        let person = try Frame.picture(output, "video/x-raw,format=ARGB")
        #expect(person.width < 600 && person.height < 720)
        let counted = try lift(group, scratch.path("second.png"), "--instance=2")
        #expect(counted.status == 0, "\(counted.output)")
        let second = try Frame.picture(scratch.path("second.png"), "video/x-raw,format=ARGB")
        #expect(second.hasSameSamples(as: person) && second.width == person.width)
        // The crop is tight, and the middle of the person is opaque.
        let alpha = person.samples(3)
        #expect(alpha[person.height / 2][person.width / 2] > 250)
        #expect(
            (0..<person.width).contains { alpha[0][$0] > 0 }
                && (0..<person.height).contains { alpha[$0][0] > 0 })
        #expect(!scratch.names.contains { $0.hasSuffix(".part") })
    }

    @Test func makesAStickerOfEach() throws {
        let result = try lift(try scratch.group(), "--stickers", scratch.path("stickers"))
        #expect(result.status == 0, "\(result.output)")
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("stickers")).sorted()
        #expect(names == ["person-1.png", "person-2.png", "person-3.png"])
        let sticker = try Frame.picture(scratch.path("stickers/person-2.png"), "video/x-raw,format=ARGB")
        // The outline is white and ends before the corner.
        let (red, alpha) = (sticker.samples(0), sticker.samples(3))
        #expect(alpha[0][0] == 0)
        let row = sticker.height / 2
        let first = try #require((0..<sticker.width).first { alpha[row][$0] > 250 })
        #expect(first > 0 && red[row][first] > 250 && red[row][first + 4] > 250)
    }

    @Test func liftsObjectsThatAreNoPeople() throws {
        let ball = try scratch.clip(
            "ball.png", "videotestsrc pattern=ball num-buffers=1 ! \(caps("RGB", 320, 240)) ! pngenc")
        let result = try lift(ball, "--stickers", scratch.path("stickers"), "--subjects")
        #expect(result.status == 0, "\(result.output)")
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("stickers"))
        #expect(names == ["subject-1.png"])
        let sticker = try Frame.picture(scratch.path("stickers/subject-1.png"), "video/x-raw,format=ARGB")
        #expect(sticker.samples(3)[sticker.height / 2][sticker.width / 2] > 250)
        let second = try lift(ball, scratch.path("out.png"), "--subjects", "--instance=2")
        #expect(second.status == 1, "\(second.output)")
    }

    @Test func liftsSeveralInTheirPlace() throws {
        let (group, output) = (try scratch.group(), scratch.path("out.png"))
        let two = try lift(group, output, "--instance=1,3", "--in-place", "--outline=2")
        #expect(two.status == 0, "\(two.output)")
        let picture = try Frame.picture(output, "video/x-raw,format=ARGB")
        let photo = try Frame.picture(group, "video/x-raw,format=RGB")
        #expect(picture.width == photo.width && picture.height == photo.height)
        // The person between the two is left out.
        let alpha = picture.samples(3)
        #expect(alpha[photo.height * 7 / 10][photo.width * 42 / 100] == 0)
        #expect(alpha.joined().contains { $0 == 255 })
        let missing = try lift(group, scratch.path("four.png"), "--instance=1,4")
        #expect(missing.status == 1, "\(missing.output)")
    }

    @Test func putsAnotherBackgroundBehindThem() throws {
        let (group, output) = (try scratch.group(), scratch.path("out.png"))
        let result = try lift(group, output, "--instance=2", "--color=00b140", "--shadow=0.5")
        #expect(result.status == 0, "\(result.output)")
        let picture = try Frame.picture(output, "video/x-raw,format=RGB")
        let photo = try Frame.picture(group, "video/x-raw,format=RGB")
        #expect(picture.width == photo.width && picture.height == photo.height)
        #expect((0..<3).map { picture.samples($0)[2][2] } == [0, 0xb1, 0x40])
        // The person is there, with the photo's own pixels.
        let (x, y) = (photo.width * 42 / 100, photo.height * 7 / 10)
        #expect((0..<3).allSatisfy { picture.samples($0)[y][x] == photo.samples($0)[y][x] })
        let blurred = try lift(group, scratch.path("blurred.jpg"), "--blur=50")
        #expect(blurred.status == 0, "\(blurred.output)")
    }

    private static let refused: [([String], Int32)] = [
        (["a.png"], 2), (["a.png", "b.jpg"], 2), (["/nonexistent.png", "out.png"], 3),
        (["a", "b.png", "--at=0.5"], 2), (["a", "b.png", "--instance=0"], 2),
        (["a", "b.png", "--all", "--instance=1"], 2), (["a", "b.png", "--stickers=c"], 2),
        (["a", "b.png", "--shadow=0.5"], 2), (["a", "b.png", "--color=00b140", "--outline=2"], 2),
        (["a", "b.png", "--instance=1,"], 2), (["a", "--stickers=c", "--in-place"], 2),
    ]

    @Test(arguments: refused)
    func refusesWrongUsageAndMissingFiles(_ arguments: [String], _ status: Int32) throws {
        let result = try Subprocess.run(Tool.path, ["lift"] + arguments, directory: scratch.url)
        #expect(result.status == status, "\(result.output)")
        #expect(scratch.names.isEmpty)
    }

    @Test(arguments: ["--at=0.02,0.02", "--instance=2"])
    func missingPeopleAreNotLifted(_ option: String) throws {
        let result = try lift(Checkout.astronaut.path, scratch.path("out.png"), option)
        #expect(result.status == 1, "\(result.output)")
        #expect(scratch.names.isEmpty)
    }

    @Test func withoutPeopleThereIsNoImage() throws {
        let wall = try scratch.clip(
            "wall.png", "videotestsrc pattern=blue num-buffers=1 ! \(caps("RGB", 160, 120)) ! pngenc")
        for target in [[scratch.path("out.png")], ["--stickers", scratch.path("stickers")]] {
            let result = try Subprocess.run(Tool.path, ["lift", wall, "--quality=fast"] + target)
            #expect(result.status == 1, "\(result.output)")
        }
        #expect(scratch.names == ["wall.png"])
    }
}
