import Foundation
import TestSupport

extension Photo {
    /// Returns a frame of the packaged clip, 540x360: three people, who touch in frames 40 to 230.
    static func clip(frame: Int) throws -> Photo {
        let scratch = try Scratch()
        let raw = scratch.path("frame.rgb")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-v", "error", "-i", Checkout.clip.path, "-vf", "select=eq(n\\,\(frame)),scale=540:360",
            "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", raw,
        ]
        try process.run()
        process.waitUntilExit()
        let data = try Data(contentsOf: URL(fileURLWithPath: raw))
        guard data.count == 3 * 540 * 360 else { throw SetupFailure("no frame of the clip") }
        return Photo(width: 540, height: 360, bytes: [UInt8](data))
    }

    /// Returns a part of the photo as a photo of its own.
    func part(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Photo {
        var part: [UInt8] = []
        for row in y..<y + height {
            let first = 3 * (row * self.width + x)
            part += bytes[first..<first + 3 * width]
        }
        return Photo(width: width, height: height, bytes: part)
    }
}
