import Foundation
import TestSupport
import Testing

/// Model files and manifests that are damaged, each in a process of its own.
struct ModelFuzzTests {
    /// The files of a level or element, and the line that loads them.
    private static let targets = [
        ("selfie_segmentation", ["json", "xml", "bin"], "personsegment quality=fast"),
        ("face_detection_short_range", ["json", "tflite"], "facepose"),
        ("face_landmarks_detector", ["json", "xml", "bin"], "facepose"),
    ]

    @Test func aModelIsUsedOrRefused() throws {
        let models = Checkout.models.resolvingSymlinksInPath()
        try Fuzz(surface: "models", usual: 2).run { generator in
            let scratch = try Scratch()
            let (name, endings, element) = generator.pick(Self.targets)
            for file in try FileManager.default.contentsOfDirectory(
                at: models, includingPropertiesForKeys: nil)
            {
                try FileManager.default.createSymbolicLink(
                    at: scratch.url.appendingPathComponent(file.lastPathComponent), withDestinationURL: file)
            }
            let ending = generator.pick(endings)
            let target = scratch.url.appendingPathComponent("\(name).\(ending)")
            let whole = try Data(contentsOf: target)
            var bytes = ending == "json" ? generator.damagedText(whole) : generator.damaged(whole)
            // A wrong size is found before anything else is.
            if ending != "json", !generator.once(in: 4) {
                bytes = bytes.prefix(whole.count) + whole.dropFirst(min(bytes.count, whole.count))
            }
            try FileManager.default.removeItem(at: target)
            try bytes.write(to: target)
            let result = try Subprocess.launch(
                "videotestsrc num-buffers=2 ! video/x-raw,format=I420,width=64,height=48 ! \(element) ! fakesink",
                environment: [
                    "GST_PEOPLE_MODELS": scratch.url.path, "XDG_CACHE_HOME": scratch.path("cache"),
                ], limit: 120)
            // 255 is how gst-launch-1.0 ends after an error.
            if result.died, result.status != 255 {
                return "\(name).\(ending): ended by a signal, \(result.status): \(result.output)"
            }
            let isTold = result.status == 0 || result.output.contains("ERROR: from element")
            return isTold ? nil : "\(name).\(ending): status \(result.status) without a reason"
        }
    }
}

extension SeededGenerator {
    /// JSON whose numbers, words and brackets are not what they were; sometimes damaged as bytes are.
    fileprivate mutating func damagedText(_ file: Data) -> Data {
        guard !once(in: 3) else { return damaged(file) }
        var parts = String(decoding: file, as: UTF8.self).split(
            separator: " ", omittingEmptySubsequences: false
        ).map(String.init)
        for _ in 0..<pick([1, 2, 5]) {
            let place = Int.random(in: 0..<parts.count, using: &self)
            parts[place] = pick([
                "\(wildNumber())", "\(wildReal())", "1e999", "null", "true", "{}", "[]", "\"\"", "]", "}",
                ",", "\"\\u0000\"",
                String(repeating: "[", count: 5000), "\"/etc/passwd\"", "99999999999999999999", "-0",
                "[0, 0]",
            ])
        }
        return Data(parts.joined(separator: " ").utf8)
    }
}
