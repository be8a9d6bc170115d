import Foundation
import TestSupport
import Testing

/// A whole process over time: memory, other languages.
struct ProcessTests {
    // Swift 6.0 cannot compile closures and interpolated texts in arguments of `@Test`.
    static let restarted = [
        "personsegment quality=fast ! blendmask background=\(Checkout.astronaut.path)",
        "personsegment quality=fast inference-interval=2 ! blendmask blur=40",
        "blendmask background=\(Checkout.clip.path)",
    ]

    @Test(arguments: restarted)
    func restartsDoNotGrow(_ elements: String) throws {
        let line =
            "videotestsrc num-buffers=20 ! video/x-raw,format=NV12,width=640,height=360 ! \(elements) ! fakesink"
        // Threads that run at the same time by chance use separate arenas of 10 MB each.
        let result = try script("restart.py", ["30", line], environment: ["MALLOC_ARENA_MAX": "1"])
        #expect(result.status == 0, "\(result.output.suffix(500))")
        let sizes = result.output.split(separator: "\n").compactMap { Int($0) }
        guard sizes.count == 30 else { throw SetupFailure("\(sizes.count) of 30 runs") }
        // The first runs fill caches; one leaked mask of 36 KiB per frame would add 11 MiB from the tenth to
        // the last five.
        let growth = (sizes[25...].min() ?? 0) - (sizes[5..<10].max() ?? 0)
        #expect(growth < 8 * 1024, "KiB after each run: \(sizes)")
    }

    @Test func pythonReadsTheMask() throws {
        let line =
            "filesrc location=\(Checkout.astronaut.path) ! decodebin ! videoconvert ! videoscale ! "
            + "video/x-raw,format=I420,width=320,height=180,pixel-aspect-ratio=1/2 ! "
            + "personsegment quality=fast ! appsink name=sink sync=false"
        let result = try script("read_mask.py", [line])
        guard result.status == 0, let mask = objects(result).first else { throw SetupFailure(result.output) }
        #expect(mask["width"] as? Int == 256)
        #expect(mask["height"] as? Int == 144)
        #expect(mask["stride"] as? Int == 256)
        #expect(mask["format"] as? String == "gray8")
        #expect(mask["frame-width"] as? Int == 320)
        #expect(mask["frame-height"] as? Int == 180)
        #expect(mask["pixel-aspect-ratio"] as? [Int] == [1, 2])
        #expect(mask["orientation"] as? Int == 1)
        #expect(mask["quality"] as? String == "fast")
        #expect(mask["revision"] as? Int == 1)
        #expect(mask["age"] as? Int == 0)
        #expect(mask["interval"] as? Int == 33_333_333)
        #expect(mask["bytes"] as? Int == 256 * 144)
        let covered = mask["covered"] as? Double ?? 0
        #expect(covered > 0.2 && covered < 0.9)
    }

    @Test func masksFollowTheImageDownstream() throws {
        let source =
            "filesrc location=\(Checkout.astronaut.path) ! decodebin ! videoconvert ! videoscale ! "
            + "video/x-raw,format=I420,width=320,height=180,pixel-aspect-ratio=1/1 ! personsegment quality=fast ! "
        for (then, isKept) in [
            ("videoconvert ! video/x-raw,format=RGBA", true),
            ("videoscale ! video/x-raw,width=160,height=90", true),
            ("videoscale ! video/x-raw,width=160,height=160,pixel-aspect-ratio=1/1", false),
            ("videocrop left=20", false), ("videoflip video-direction=horiz", false), ("queue", true),
            ("tee", true),
            // Encoders keep the mask: for recordings, blendmask should remove it.
            ("jpegenc", true), ("vp8enc deadline=1", true),
        ] {
            let result = try script("read_mask.py", [source + then + " ! appsink name=sink sync=false"])
            #expect((result.status == 0 && objects(result).count == 1) == isKept, "\(then): \(result.output)")
        }
    }

    @Test(arguments: ["pipelines", "Tests", ".ci"])
    func scriptsParse(_ folder: String) throws {
        let files = FileManager.default.enumerator(atPath: Checkout.root.appendingPathComponent(folder).path)
        for case let name as String in files ?? FileManager.DirectoryEnumerator() {
            let path = Checkout.root.appendingPathComponent(folder + "/" + name).path
            guard let text = try? String(contentsOfFile: path, encoding: .utf8), Self.isShell(text) else {
                continue
            }
            let result = try Subprocess.run("bash", ["-n", path])
            #expect(result.status == 0, "\(result.output)")
        }
    }

    private static func isShell(_ text: String) -> Bool {
        let first = text.prefix { $0 != "\n" }
        return first.hasPrefix("#!") && first.hasSuffix("bash") || first.hasSuffix("shell=bash")
    }
}
