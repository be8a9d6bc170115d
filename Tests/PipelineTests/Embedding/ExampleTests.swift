import Foundation
import TestSupport
import Testing

/// The examples do what they say: embedded in C and Python, and the Swift library by itself.
struct ExampleTests {
    @Test func embedsInC() throws {
        let scratch = try Scratch()
        let program = scratch.path("embed")
        let flags = try Subprocess.run("pkg-config", ["--cflags", "--libs", "gstreamer-app-1.0"]).output
        let source = Checkout.root.appendingPathComponent("pipelines/examples/embed.c").path
        let words = flags.split(whereSeparator: \.isWhitespace).map(String.init)
        let compiled = try Subprocess.run(
            "cc", ["-Wall", "-Wextra", "-Werror", source, "-o", program] + words)
        #expect(compiled.status == 0, "\(compiled.output)")
        try check { try Subprocess.run(program, $0) }
    }

    @Test func embedsInPython() throws {
        let path = Checkout.root.appendingPathComponent("pipelines/examples/embed.py").path
        try check { try Subprocess.run("/usr/bin/python3", [path] + $0) }
    }

    /// Runs an example on the packaged clip, in which people cover about half of the picture.
    private func check(_ run: ([String]) throws -> Subprocess) throws {
        let result = try run([Checkout.clip.path, "6"])
        #expect(result.status == 0, "\(result.output)")
        let lines = result.output.split(separator: "\n").map {
            $0.split(separator: " ").compactMap { Double($0) }
        }
        #expect(
            lines.count == 6 && lines.allSatisfy { $0.count == 2 && $0[1] > 0.3 && $0[1] < 0.8 }, "\(lines)")
        let missing = try run(["/nonexistent.mp4", "6"])
        #expect(
            missing.status == 1 && missing.output.contains("gst-resource-error-quark"), "\(missing.output)")
    }

    @Test func photoToolWritesMaskAndFaces() throws {
        let scratch = try Scratch()
        let mask = scratch.path("mask.png")
        let result = try Subprocess.run(tool("people-photo"), [Checkout.astronaut.path, mask])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.split(separator: "\n").filter { $0.hasPrefix("face ") }.count == 1)
        let picture = try Frame.picture(mask, "video/x-raw,format=GRAY8")
        let covered = picture.samples(0).joined().filter { $0 > 127 }.count
        #expect(covered > picture.width * picture.height / 4)
    }

    /// The same portrait stored sideways: the same mask, stored sideways too.
    @Test func photoToolHonoursTheOrientation() throws {
        let scratch = try Scratch()
        let (upright, sideways) = (scratch.path("upright.png"), scratch.path("sideways.png"))
        let turned = scratch.path("turned.png")
        let flip = try Subprocess.launch(
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert ! videoflip video-direction=90r "
                + "! pngenc snapshot=true ! filesink location=\(turned)")
        #expect(flip.status == 0, "\(flip.output)")
        _ = try Subprocess.run(tool("people-photo"), [Checkout.astronaut.path, upright])
        // Stored a quarter turn clockwise, it needs one counter-clockwise: orientation 8.
        _ = try Subprocess.run(tool("people-photo"), [turned, sideways, "8"])
        let (one, other) = (try mask(upright), try mask(sideways))
        let size = one.count
        let same = (0..<size).allSatisfy { y in
            (0..<size).allSatisfy { x in abs(Int(one[y][x]) - Int(other[x][size - 1 - y])) <= 2 }
        }
        #expect(size == other.count && same)
    }

    @Test func photoToolReadsSixteenBitsAndAlpha() throws {
        let scratch = try Scratch()
        for format in ["GRAY16_BE", "RGBA"] {
            let (picture, mask) = (scratch.path("\(format).png"), scratch.path("\(format)-mask.png"))
            let made = try Subprocess.launch(
                "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert ! video/x-raw,format=\(format) "
                    + "! pngenc snapshot=true ! filesink location=\(picture)")
            #expect(made.status == 0, "\(made.output)")
            let result = try Subprocess.run(tool("people-photo"), [picture, mask])
            #expect(result.status == 0 && result.output.contains("512x512"), "\(result.output)")
        }
        let broken = try Subprocess.run(tool("people-photo"), [Checkout.root.path + "/README.md", "x.png"])
        #expect(broken.status == 1 && broken.output.contains("README.md"), "\(broken.output)")
    }

    @Test func photoToolReadsJPEGAndItsOrientation() throws {
        let scratch = try Scratch()
        let (picture, mask) = (scratch.path("picture.jpg"), scratch.path("mask.png"))
        let made = try Subprocess.launch(
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert "
                + "! videocrop left=100 ! video/x-raw,format=I420 ! taginject tags=image-orientation=rotate-90 "
                + "! jpegenc ! jifmux ! filesink location=\(picture)")
        #expect(made.status == 0, "\(made.output)")
        let result = try Subprocess.run(tool("people-photo"), [picture, mask])
        #expect(result.status == 0 && result.output.contains("412x512"), "\(result.output)")
    }

    /// The program of docs/library.md is that of `Tests/LibraryUser`, a package which depends on this one.
    @Test func theDocumentsProgramRunsInAnotherPackage() throws {
        let package = Checkout.root.appendingPathComponent("Tests/LibraryUser")
        let program = try String(
            contentsOf: package.appendingPathComponent("Sources/library-user/main.swift"), encoding: .utf8)
        let page = try String(
            contentsOf: Checkout.root.appendingPathComponent("docs/library.md"), encoding: .utf8)
        #expect(page.contains("```swift\n" + program + "```\n"))
        #expect(program.split(separator: "\n").count < 15)
        let builds = Checkout.root.appendingPathComponent(".build-library-user").path
        let place = ["--package-path", package.path, "--scratch-path", builds]
        let built = try Subprocess.run("swift", ["build"] + place, limit: 500)
        #expect(built.status == 0, "\(built.output.suffix(2000))")
        let scratch = try Scratch()
        let result = try Subprocess.run(
            "sh",
            [
                "-c", "cd \"$1\" && \"$2\" \"$3\"", "sh", scratch.path(""), builds + "/debug/library-user",
                Checkout.astronaut.path,
            ])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.split(separator: "\n").count == 1, "one face: \(result.output)")
        #expect(try mask(scratch.path("mask.png")).count == 512)
    }

    private func mask(_ path: String) throws -> [[UInt8]] {
        try Frame.picture(path, "video/x-raw,format=GRAY8").samples(0)
    }

    private func tool(_ name: String) -> String {
        Checkout.root.appendingPathComponent(".build/release/\(name)").path
    }
}
