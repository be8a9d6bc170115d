import CommandKit
import GStreamerKit

/// Small pictures of some frames of a video.
enum SampledFrames {
    /// Reads frames.
    ///
    /// - Parameters:
    ///   - times: the frames', in nanoseconds, in their order; each gives another frame.
    ///   - width: the pictures', in pixels, a multiple of four, so that rows have no gaps.
    ///   - body: gets the number of a time, and its picture.
    static func read(
        _ job: Job, at times: [UInt64], width: Int, height: Int,
        _ body: (Int, PackedPixels) throws(ToolError) -> Void
    ) throws(ToolError) {
        guard !times.isEmpty else { return }
        var part = FramePart()
        (part.range, part.acceptsDamage) = (job.range, job.acceptsDamage)
        let caps = "video/x-raw,format=RGB,width=\(width),height=\(height),pixel-aspect-ratio=1/1"
        let reader = try FrameReader(
            job.source, part, through: "videoscale ! videoconvert ! capsfilter caps=\(caps)")
        var next = 0
        while next < times.count, let frame = try reader.next() {
            guard let buffer = frame.buffer, let time = buffer.presentationTime,
                VideoRange.reaches(time, times[next])
            else { continue }
            let samples = buffer.withBytes { $0.count == 3 * width * height ? Array($0) : [] } ?? []
            guard !samples.isEmpty else { throw ToolError(.failed, "a frame could not be read") }
            try body(next, PackedPixels(width: width, height: height, samples, hasAlpha: false))
            next += 1
        }
    }
}
