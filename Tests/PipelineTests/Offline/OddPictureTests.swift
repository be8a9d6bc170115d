import Foundation
import TestSupport
import Testing

/// Photos of rare kinds, damaged ones, and folders of them, compared by Pillow and NumPy.
struct OddPictureTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch(photosOf: "make_odd_photos.py")
    }

    private func photo(_ input: String, _ output: String, _ options: String...) throws -> Subprocess {
        try tool(
            "photo", [input, scratch.path(output), "--quality=fast", "--force", "--json"] + options)
    }

    /// Converts a picture with its own background, so that only reading and writing change pixels.
    private func copy(_ name: String, _ options: String...) throws -> Subprocess {
        try tool(
            "photo",
            [
                scratch.path(name), scratch.path("out.png"), "--original", "--quality=fast", "--force",
                "--json",
            ]
                + options)
    }

    /// Returns what Python prints about the pictures `a` and `b`, arrays of NumPy.
    private func compare(_ one: String, _ other: String, _ expression: String) throws -> String {
        let program = """
            import sys, numpy as np
            from PIL import Image
            a, b = (np.asarray(Image.open(path).convert("RGB")).astype(float) for path in sys.argv[1:])
            print(\(expression))
            """
        let paths = [one, other].map { scratch.path($0) }
        let result = try Subprocess.run("/usr/bin/python3", ["-c", program] + paths)
        guard result.status == 0 else { throw SetupFailure(result.output) }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: - Samples and colours

    @Test(arguments: [
        "float.tif", "double.tif", "half.tif", "float-255.tif", "16.tif", "32.tif", "cmyk-16.tif",
        "gray-float.tif", "gray-16.tif", "gamma-of-srgb.png", "srgb-before-gamma.png",
    ])
    func samplesOfAllWidthsAreRead(_ name: String) throws {
        let result = try copy(name)
        #expect(result.status == 0, "\(result.output)")
        let original = name.hasPrefix("gray") ? "original-gray.png" : "original.png"
        #expect(try compare(original, "out.png", "abs(a - b).max() <= 1") == "True")
    }

    @Test func palettesAreRead() throws {
        #expect(try copy("palette.tif").status == 0)
        #expect(try compare("palette.tif", "out.png", "abs(a - b).max() <= 1") == "True")
    }

    @Test(arguments: ["linear.png", "linear-by-cicp.png"])
    func linearLightIsConverted(_ name: String) throws {
        #expect(try copy(name).status == 0)
        let curve =
            "np.where(a / 255 <= .0031308, a / 255 * 12.92, 1.055 * (a / 255) ** (1 / 2.4) - .055) * 255"
        #expect(try compare("original.png", "out.png", "abs(\(curve) - b).max() <= 2") == "True")
    }

    @Test(arguments: ["p3-by-chrm.png", "p3-by-cicp.png"])
    func otherPrimariesAreConverted(_ name: String) throws {
        #expect(try copy(name).status == 0)
        // From Display P3 to sRGB in linear light; both have the white of D65.
        let light = "np.where(a <= 10.31, a / 255 / 12.92, ((a / 255 + .055) / 1.055) ** 2.4)"
        let matrix = "np.array([[1.2249, -.2247, 0], [-.0420, 1.0419, 0], [-.0197, -.0786, 1.0979]])"
        let converted = "np.clip((\(light)) @ \(matrix).T, 0, 1)"
        let curve =
            "(lambda c: np.where(c <= .0031308, c * 12.92, 1.055 * c ** (1 / 2.4) - .055) * 255)(\(converted))"
        #expect(try compare("original.png", "out.png", "abs(\(curve) - b).mean() <= 1") == "True")
    }

    @Test func highDynamicRangeIsRefused() throws {
        let result = try copy("pq.png")
        #expect(result.status == 3 && result.output.contains("PQ"), "\(result.output)")
    }

    // MARK: - Damage

    @Test func aJPEGWithoutEndMarkIsWhole() throws {
        let result = try copy("without-end.jpg")
        #expect(result.notes("finished")?.contains { $0.contains("end mark") } == true, "\(result.output)")
        #expect(try compare("original.png", "out.png", "abs(a - b).mean() < 3") == "True")
    }

    @Test(arguments: ["cut.jpg", "cut.png", "cut.webp", "cut.tif"])
    func whatIsLeftOfADamagedPictureIsReadOnDemand(_ name: String) throws {
        let refused = try copy(name)
        #expect(refused.status == 3 && !scratch.names.contains("out.png"), "\(refused.output)")
        let accepted = try copy(name, "--damaged")
        #expect(
            accepted.notes("finished")?.contains { $0.contains("truncated") } == true, "\(accepted.output)")
        #expect(try compare("original.png", "out.png", "abs(a - b)[:96].mean() < 8") == "True")
    }

    // MARK: - Other pictures

    @Test(arguments: ["jpg", "png", "webp"])
    func noPictureRemainsInMetadata(_ suffix: String) throws {
        let result = try photo(scratch.path("pictures-in-metadata.jpg"), "out.\(suffix)", "--color=00b140")
        let notes = try #require(result.notes("finished"), "\(result.output)").joined(separator: "\n")
        for part in ["maker's note", "thumbnails in XMP", "Photoshop"] {
            #expect(notes.contains(part), "\(notes)")
        }
        let program = """
            import sys
            from PIL import Image
            data, image = open(sys.argv[1], "rb").read(), Image.open(sys.argv[1])
            texts = b"".join(v if isinstance(v, bytes) else str(v).encode("latin-1", "replace") for v in image.info.values())
            exif = image.getexif()
            count = data.count(b"\\xff\\xd8\\xff") if image.format == "JPEG" else 1 + texts.count(b"\\xff\\xd8\\xff")
            print(count, b"/9j/" in data + texts, exif.get(0x010F), exif.get_ifd(0x8769).get(0x9003))
            """
        let found = try Subprocess.run("/usr/bin/python3", ["-c", program, scratch.path("out.\(suffix)")])
        #expect(found.output.hasPrefix("1 False Maker 2024:01:02 03:04:05"), "\(found.output)")
    }

    // MARK: - Places

    @Test func filesOfFoldersAreTakenByContentAndTheRestIsNamed() throws {
        let folder = URL(fileURLWithPath: scratch.path("in"))
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("inside"), withIntermediateDirectories: true)
        for (name, copied) in [("without-end.jpg", "wrong.png"), ("original.png", "no-ending")] {
            try FileManager.default.copyItem(
                atPath: scratch.path(name), toPath: folder.appendingPathComponent(copied).path)
        }
        let heif = try Subprocess.run(
            "heif-enc", [scratch.path("original.png"), "-o", folder.appendingPathComponent("A.HEIC").path])
        #expect(heif.status == 0, "\(heif.output)")
        try Data("a text\n".utf8).write(to: folder.appendingPathComponent("text.jpg"))
        try Data("notes\n".utf8).write(to: folder.appendingPathComponent("notes.txt"))
        let result = try photo(folder.path, "done/", "--original")
        let summary = try #require(result.events("summary").first, "\(result.output)")
        let counts = ["done", "failed", "notTaken"].map { summary[$0] as? Int }
        #expect(counts == [3, 1, 2], "\(result.output)")
        let left = result.events("not-taken").compactMap {
            ($0["file"] as? String)?.split(separator: "/").last
        }
        #expect(left == ["inside", "notes.txt"])
        #expect(result.output.contains("that of no picture"), "\(result.output)")
        let made = try FileManager.default.contentsOfDirectory(atPath: scratch.path("done")).sorted()
        #expect(made == ["A.png", "no-ending.png", "wrong.png"])
    }

    @Test func quotedPatternsStandForFiles() throws {
        let result = try photo(scratch.path("*linear*.png"), "done/", "--original")
        #expect(result.events("finished").count == 2, "\(result.output)")
        let nothing = try photo(scratch.path("*.nothing"), "done/")
        #expect(nothing.status == 3 && nothing.output.contains("no files"), "\(nothing.output)")
    }

    @Test func picturesComeFromTheStandardInput() throws {
        let line = """
            "$0" photo - "$2" --original --quality=fast <"$1" && "$0" faces - <"$1"
            """
        let result = try Subprocess.run(
            "bash", ["-c", line, Tool.path, scratch.path("original.png"), scratch.path("out.png")])
        #expect(result.status == 0 && result.output.contains("\"faces\": [{"), "\(result.output)")
        #expect(try compare("original.png", "out.png", "abs(a - b).max() == 0") == "True")
    }

    // MARK: - Shapes

    @Test(arguments: [90, 180, 270], ["", "horizontal", "vertical"])
    func picturesAreTurned(_ degrees: Int, _ flip: String) throws {
        let options = ["--rotate=\(degrees)"] + (flip.isEmpty ? [] : ["--flip=\(flip)"])
        let result = try tool(
            "photo",
            [
                scratch.path("original.png"), scratch.path("out.png"), "--original", "--quality=fast",
                "--force",
            ]
                + options)
        #expect(result.status == 0, "\(result.output)")
        let turned = "np.rot90(a, -\(degrees / 90))"
        let flipped =
            ["": turned, "horizontal": "\(turned)[:, ::-1]", "vertical": "\(turned)[::-1]"][flip] ?? ""
        #expect(try compare("original.png", "out.png", "abs(\(flipped) - b).max() == 0") == "True")
    }

    /// Two people of half the height, of which the network of `fast` finds nobody at 3:1.
    @Test func panoramasKeepTheirPeople() throws {
        let program = """
            import sys
            from PIL import Image
            person = Image.open(sys.argv[1]).convert("RGB").resize((224, 224))
            wide = Image.linear_gradient("L").resize((1536, 512)).convert("RGB")
            for x in (307, 921): wide.paste(person, (x, 288))
            wide.save(sys.argv[2])
            """
        let input = scratch.path("wide.png")
        _ = try Subprocess.run("/usr/bin/python3", ["-c", program, Checkout.astronaut.path, input])
        let result = try photo(input, "out.png", "--color=000000")
        #expect(result.notes("finished")?.contains { $0.contains("panorama") } == true, "\(result.output)")
        let seen = "all((b[300:, x:x + 224].max(2) > 40).mean() > .2 for x in (307, 921))"
        #expect(try compare("wide.png", "out.png", seen) == "True")
    }
}
