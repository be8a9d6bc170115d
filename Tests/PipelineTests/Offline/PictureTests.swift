import Foundation
import TestSupport
import Testing

/// Still pictures of all kinds, compared by Pillow and LittleCMS.
struct PictureTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch(photosOf: "make_photos.py")
    }

    /// Converts a photo with its own background, so that only reading and writing change pixels.
    private func copy(_ name: String, _ output: String = "out.png") throws -> Subprocess {
        try photo([scratch.path(name), scratch.path(output), "--original"])
    }

    private func photo(_ arguments: [String]) throws -> Subprocess {
        try tool("photo", arguments + ["--quality=fast", "--force", "--json"])
    }

    /// Returns the mean and largest difference, and the number of samples that differ by more than 2.
    private func difference(_ one: String, _ other: String) throws -> [Double] {
        let paths = [one, other].map { scratch.path($0) }
        let result = try Subprocess.run(
            "/usr/bin/python3", [Checkout.script("compare_pictures.py")] + paths)
        guard result.status == 0 else { throw SetupFailure(result.output) }
        return result.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    }

    private func description(_ name: String) throws -> [String: Any] {
        let result = try Subprocess.run(
            "/usr/bin/python3", [Checkout.script("describe_picture.py"), scratch.path(name)])
        return try #require(objects(result).first, "\(result.output)")
    }

    // MARK: - Reading

    @Test(arguments: [
        "plain.jpg", "plain.webp", "plain.tif", "plain.bmp", "cmyk.jpg", "p3.jpg", "p3.png", "p3.webp",
        "two.jpg",
        "clip-behind.jpg",
    ])
    func readsPicturesLikePillow(_ name: String) throws {
        let result = try copy(name)
        #expect(result.status == 0, "\(result.output)")
        let difference = try difference(name, "out.png")
        #expect(difference[1] <= 2, "\(difference)")
        let made = try description("out.png")
        #expect(made["hasProfile"] as? Bool == false && made["pictures"] as? Int == 1)
    }

    /// Pillow of Debian 12 reads neither.
    @Test(arguments: [("plain.heic", "plain.png", 3.0), ("deep.png", "p3.png", 0.6)])
    func readsFormatsThatPillowLacks(_ name: String, _ original: String, _ mean: Double) throws {
        let result = try copy(name)
        #expect(result.status == 0, "\(result.output)")
        let difference = try difference(original, "out.png")
        #expect(difference[0] <= mean, "\(difference)")
    }

    @Test(arguments: ["faces", "bodies", "hands", "people"])
    func onlyTheFirstPictureIsAnalysed(_ command: String) throws {
        let result = try tool(command, [scratch.path("two.jpg")])
        #expect(result.status == 0 && objects(result).count == 1, "\(result.output)")
    }

    @Test func notesLostPicturesAndConvertedColours() throws {
        for name in ["two.jpg", "clip-behind.jpg"] {
            let notes = try #require(try copy(name).notes("finished"))
            #expect(notes.contains { $0.contains("first picture") }, "\(notes)")
        }
        #expect(try copy("plain.jpg").notes("finished") == [])
        let notes = try copy("p3.jpg").notes("finished")
        #expect(notes == ["colours are converted from Display P3 to sRGB"], "\(notes ?? [])")
    }

    @Test(arguments: [
        ("photo.dng", "II*\0", "darktable-cli"), ("drawing.svg", "<svg xmlns='...'>", "rsvg-convert"),
        ("layers.psd", "8BPS", "convert"), ("text.pdf", "%PDF-1.7", "pdftoppm"),
    ])
    func namesTheCommandThatConverts(_ name: String, _ contents: String, _ command: String) throws {
        let input = try scratch.file(name, Data(contents.utf8))
        let result = try photo([input, scratch.path("out.png")])
        #expect(result.status == 3 && result.output.contains(command), "\(result.output)")
        #expect(!result.output.contains("damaged"))
    }

    @Test(arguments: [0.1, 0.5, 0.9], ["plain.jpg", "plain.png", "plain.webp", "plain.heic", "plain.tif"])
    func truncatedPicturesAreRefused(_ share: Double, _ name: String) throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))
        let input = try scratch.file("cut", whole.prefix(Int(Double(whole.count) * share)))
        let result = try photo([input, scratch.path("out.png")])
        #expect(result.status == 3 && !scratch.names.contains("out.png"), "\(result.output)")
    }

    @Test func doesNotWaitForPipes() throws {
        let pipe = scratch.path("pipe.jpg")
        #expect(mkfifo(pipe, 0o600) == 0)
        for command in ["photo", "lift", "faces"] {
            let output = command == "faces" ? [] : [scratch.path("out.png")]
            let result = try tool(command, [pipe] + output)
            #expect(result.status == 3, "\(result.output)")
        }
    }

    // MARK: - Writing

    @Test(arguments: ["png", "jpg", "webp"])
    func keepsMetadataOfThePhoto(_ suffix: String) throws {
        let output = scratch.path("out.\(suffix)")
        let result = try photo([scratch.path("described.jpg"), output, "--color=00b140"])
        #expect(result.status == 0, "\(result.output)")
        let made = try description("out.\(suffix)")
        #expect(made["maker"] as? String == "Maker" && made["author"] as? String == "An author", "\(made)")
        #expect(made["date"] as? String == "2024:01:02 03:04:05")
        #expect(made["latitude"] as? [Double] == [48, 8, 0])
        #expect(made["orientation"] as? Int == 1 && made["saysTurned"] as? Bool == false, "\(made)")
        #expect(made["hasTitle"] as? Bool == true && made["namesGainMap"] as? Bool == false, "\(made)")
    }

    @Test func turnsPicturesUpright() throws {
        #expect(try copy("described.jpg").status == 0)
        let difference = try difference("out.png", "plain.png")
        #expect(difference[0] < 2, "\(difference)")
    }

    @Test(arguments: ["photo", "lift"])
    func writesWebP(_ command: String) throws {
        let options = command == "photo" ? ["--transparent"] : []
        let output = scratch.path("out.webp")
        let result = try tool(
            command, [scratch.path("described.jpg"), output, "--quality=fast"] + options)
        #expect(result.status == 0, "\(result.output)")
        let made = try description("out.webp")
        #expect(made["format"] as? String == "WEBP" && made["mode"] as? String == "RGBA", "\(made)")
        #expect(made["date"] as? String == "2024:01:02 03:04:05")
    }

    // MARK: - Words

    @Test func notesMissingPeople() throws {
        let output = scratch.path("out.png")
        let missing = try photo([scratch.path("plain.png"), output, "--instances=9"])
        #expect(missing.notes("finished")?.first?.contains("no person 9") == true, "\(missing.output)")
        let nowhere = try photo([scratch.path("plain.png"), output, "--instances-at=0.01,0.01"])
        #expect(nowhere.notes("finished")?.first?.contains("nobody is at") == true, "\(nowhere.output)")
        for option in ["--transparent", "--color=00b140"] {
            let nobody = try photo([scratch.path("nobody.png"), output, option])
            #expect(nobody.notes("finished") == ["nobody was found"], "\(nobody.output)")
        }
    }

    @Test func aPhotoHasNoFrameRate() throws {
        let result = try tool(
            "photo", [scratch.path("plain.png"), scratch.path("out.png"), "--quality=fast"])
        #expect(
            result.output.contains(#/\n  in \d+ s/#) && !result.output.contains("frame"), "\(result.output)")
    }

    @Test func numbersHaveFiveDigits() throws {
        let result = try tool("people", [scratch.path("plain.png"), "--quality=fast"])
        let numbers = result.output.matches(of: #/-?\d+\.\d+(?:e-?\d+)?/#).map { String($0.output) }
        #expect(numbers.count > 50)
        for number in numbers {
            let digits = number.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
            #expect(digits.count <= 5, "\(number)")
        }
    }

    /// `people`, `--instances` and stickers count in the same way.
    @Test func peopleAreCountedFromTheLeft() throws {
        let group = try scratch.clip(
            "group.png",
            "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! pngenc snapshot=true")
        let result = try tool("people", [group, "--quality=fast"])
        let people = try #require(objects(result).first?["people"] as? [[String: Any]])
        let places = people.filter { $0["id"] is Int }.map { person in
            (person["id"] as? Int ?? 0, (person["x"] as? Double ?? 0) + (person["width"] as? Double ?? 0) / 2)
        }
        #expect(places.map(\.0) == Array(1...places.count) && places.count == 3, "\(places)")
        #expect(places.map(\.1) == places.map(\.1).sorted())
    }

    // MARK: - Names

    /// The names contain bytes that are not UTF-8, for `$'...'` of a shell.
    @Test func readsAndWritesNamesThatAreNotUTF8() throws {
        let line = """
            cd "$1" && cp plain.jpg $'in-\\xe4\\xff.jpg' && mkdir $'folder-\\xe9' \\
            && "$0" photo $'in-\\xe4\\xff.jpg' $'out-\\xfc.png' --color=00b140 --quality=fast \\
            && "$0" photo $'in-\\xe4\\xff.jpg' plain.png $'folder-\\xe9' --quality=fast --json \\
            && "$0" faces $'in-\\xe4\\xff.jpg' && "$0" lift $'in-\\xe4\\xff.jpg' $'lift-\\xe9.png' --quality=fast \\
            && "$0" photo plain.jpg out.png --background=$'in-\\xe4\\xff.jpg' --quality=fast \\
            && test -s $'out-\\xfc.png' -a -s $'lift-\\xe9.png' -a -s $'folder-\\xe9/in-\\xe4\\xff.jpg'
            """
        let result = try Subprocess.run("bash", ["-c", line, Tool.path, scratch.url.path])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(arguments: [250, 255])
    func longNamesWork(_ length: Int) throws {
        let name = String(repeating: "x", count: length - 4) + ".png"
        let result = try photo([scratch.path("plain.png"), scratch.path(name)])
        #expect(result.status == 0 && scratch.names.contains(name), "\(result.output)")
        #expect(!scratch.names.contains { $0.hasSuffix(".part") })
    }

    @Test(arguments: ["blur=20", "force"])
    func anOptionWithoutDashesIsNoFile(_ word: String) throws {
        let result = try photo([scratch.path("plain.png"), scratch.path("out.png"), word])
        #expect(result.status == 2 && result.output.contains("did you mean --\(word)?"), "\(result.output)")
        #expect(!scratch.names.contains(word))
    }
}
