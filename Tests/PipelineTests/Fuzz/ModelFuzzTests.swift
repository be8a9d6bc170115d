import CGStreamer
import Foundation
import TestSupport
import Testing

/// Damaged model files and manifests, given to the elements that load them.
///
/// A damaged file may end the test process; `Tests/fuzz` then starts it again behind that input.
struct ModelFuzzTests {
    /// A small model with all its files, and the element that loads it.
    private struct Seed {
        let folder: URL
        let name: String
        let endings: [String]
        /// The element and its properties, up to the value of `model-path`.
        let line: String
        /// The file for `model-path`; nil for its directory.
        var file: String?
    }

    private static let fixtures = Checkout.root.appendingPathComponent("Tests/Fixtures")
    private static let fast = "personsegment quality=fast model-path="
    private static let seeds = [
        Seed(
            folder: fixtures, name: "free_size", endings: ["json", "xml", "bin"], line: fast,
            file: "free_size.xml"),
        Seed(folder: fixtures, name: "mean", endings: ["json", "onnx"], line: fast, file: "mean.onnx"),
        Seed(
            folder: fixtures, name: "accumulator", endings: ["json", "xml", "bin"],
            line: "personsegment quality=balanced model-path=", file: "accumulator.xml"),
        Seed(
            folder: Checkout.models, name: "face_detection_short_range", endings: ["json", "tflite"],
            line: "facepose model-path="),
    ]

    @Test func aModelIsUsedOrRefused() throws {
        let frame = try astronaut(96, 72)
        // Models are shared while an element uses them: only the damaged model is loaded for an input.
        let accumulator = Self.fixtures.appendingPathComponent("accumulator.xml").path
        let keepers = try [
            Harness("facepose", caps: frame.caps),
            Harness("personsegment quality=balanced model-path=\(accumulator)", caps: frame.caps),
        ]
        for keeper in keepers { _ = try keeper.transform(frame) }
        try Fuzz(surface: "models", usual: 3).run { generator in
            let seed = generator.pick(Self.seeds)
            let scratch = try Scratch()
            let ending = generator.pick(seed.endings)
            for other in seed.endings {
                let file = "\(seed.name).\(other)"
                let whole = try Data(contentsOf: seed.folder.appendingPathComponent(file))
                _ = try scratch.file(file, other == ending ? generator.damaged(whole, ending) : whole)
            }
            let wrong = try fault(of: seed.line + scratch.path(seed.file ?? ""), frame)
            return wrong.map { "\(seed.name).\(ending): \($0)" }
        }
    }

    /// Plays two frames through an element: both come out, or an error has the reason.
    private func fault(of line: String, _ frame: Frame) throws -> String? {
        let pipeline = try Pipeline(
            "appsrc name=source format=time caps=\(frame.caps) ! \(line) ! appsink name=sink sync=false")
        var isWhole = pipeline.start()
        for time in [0, 40_000_000] where isWhole {
            frame.time = UInt64(time)
            pipeline.push(frame, to: "source")
            isWhole = pipeline.pullSample(from: "sink") != nil
        }
        let isTold = pipeline.messages().contains { $0.kind == .error }
        pipeline.set(state: GST_STATE_NULL)
        return isWhole || isTold ? nil : "no frame, and no error"
    }
}

extension SeededGenerator {
    fileprivate mutating func damaged(_ file: Data, _ ending: String) -> Data {
        guard ending != "json" else { return damagedText(file) }
        let bytes = damaged(file)
        // A wrong size is detected before anything else.
        return once(in: 4) ? bytes : bytes.prefix(file.count) + file.dropFirst(min(bytes.count, file.count))
    }

    /// Returns JSON with changed numbers, words and brackets; sometimes damaged as bytes.
    private mutating func damagedText(_ file: Data) -> Data {
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
