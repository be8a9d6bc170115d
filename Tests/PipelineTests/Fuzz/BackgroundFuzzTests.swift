import CGStreamer
import Foundation
import TestSupport
import Testing

/// Background files that are damaged or lie: pictures of all kinds, and clips.
struct BackgroundFuzzTests {
    /// What a frame's background may cost for a moment: a picture at its limit, 1 GiB decoded.
    private static let mostBytes = 1200 << 20

    @Test func aFileIsShownOrRefused() throws {
        let scratch = try Scratch()
        var files = try HostilePictures.all()
        for name in ["clip.mp4", "clip.webm"] {
            let clip = try NumberedClip.make(name, in: scratch, frames: 0..<5)
            files.append((name, try Data(contentsOf: URL(fileURLWithPath: clip))))
        }
        try Fuzz(surface: "backgrounds", usual: 8).run { generator in
            let file = generator.pick(files)
            var bytes = file.bytes
            if generator.once(in: 4) {
                let sides = [1, 0, 2, 16383, 30000, 65535]
                let (width, height) = (generator.pick(sides), generator.pick(sides))
                bytes = HostilePictures.claiming(width: width, height: height, bytes) ?? bytes
            }
            if !generator.once(in: 5) { bytes = generator.damaged(bytes) }
            let path = try scratch.file(file.name, bytes)
            return try fault(of: path).map {
                "\(file.name): \($0); its bytes: \(bytes.base64EncodedString())"
            }
        }
    }

    /// White frames without a mask, of which nothing may be seen.
    private func fault(of path: String) throws -> String? {
        let before = ProcessMemory.resident
        ProcessMemory.forgetPeak()
        let pipeline = try Pipeline(
            "videotestsrc pattern=white ! \(caps("RGB", 32, 24)) "
                + "! blendmask background=\(path) ! appsink name=sink sync=false max-buffers=1")
        var wrong: String?
        if pipeline.start() {
            for _ in 0..<2 {
                guard let shown = pipeline.pullSample(from: "sink", within: 20) else {
                    wrong =
                        pipeline.nextMessage(within: 1)?.kind == .error ? nil : "neither a frame nor an error"
                    break
                }
                if (0..<3).allSatisfy({ shown.samples($0).allSatisfy { $0.allSatisfy { $0 == 255 } } }) {
                    wrong = "the frame is shown"
                }
            }
        } else if pipeline.nextMessage(within: 1)?.kind != .error {
            wrong = "no error"
        }
        pipeline.set(state: GST_STATE_NULL)
        let growth = ProcessMemory.peak - before
        return growth > Self.mostBytes ? "took \(growth >> 20) MiB" : wrong
    }
}
