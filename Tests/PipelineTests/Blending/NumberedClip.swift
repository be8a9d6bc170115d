import CGStreamer
import Foundation
import TestSupport

/// Clips whose frames encode their number in their brightness.
struct NumberedClip {
    static let (width, height) = (64, 48)
    private static let step = 8

    /// Encoders and muxers, by ending.
    static let containers = [
        "mp4": "x264enc qp-max=4 speed-preset=ultrafast bframes=2 ! h264parse ! mp4mux",
        // Frames without a rate, whose duration decoders do not know.
        "mkv": "capssetter caps=video/x-raw,framerate=0/1 ! x264enc qp-max=4 speed-preset=ultrafast "
            + "! matroskamux",
        "webm": "vp8enc max-quantizer=4 deadline=1 ! webmmux",
        "ts": "x264enc qp-max=4 speed-preset=ultrafast ! mpegtsmux",
        "avi": "jpegenc quality=95 ! avimux",
        "ogg": "theoraenc quality=60 ! oggmux",
        // Images one after the other, without times.
        "mjpg": "jpegenc quality=95",
    ]

    /// Returns a clip of numbered frames at 25 frames per second.
    static func make(
        _ name: String, in scratch: Scratch, frames: Range<Int> = 0..<23, width: Int = width,
        height: Int = height, audio: Bool = false
    ) throws -> String {
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        guard let encoder = containers[ending] else { throw SetupFailure("no encoder for \(name)") }
        let raw = Data(frames.flatMap { [UInt8](repeating: luma($0), count: width * height) })
        let source = try scratch.file("\(name).gray", raw)
        let line =
            "filesrc location=\(source) blocksize=\(width * height) ! rawvideoparse format=gray8 width=\(width) "
            + "height=\(height) framerate=25/1 ! videoconvert ! video/x-raw,format=I420 "
            + "! \(encoder) name=muxer"
        return try scratch.clip(name, line + (audio ? " \(Clip.aac) ! muxer. muxer." : ""))
    }

    /// Returns the value of a frame's number in full-range grey.
    private static func luma(_ number: Int) -> UInt8 { UInt8(clamping: 16 + number * step) }

    /// Returns the number of the clip's frame that a GRAY8 or RGB frame shows; nil if its parts show
    /// different frames.
    static func number(in frame: Frame) -> Int? {
        let samples = frame.samples(0)
        // Black is 0 in RGB, but 16 in the clip's luma.
        let (foot, scale) = frame.colorCount == 3 ? (0.0, 219.0 / 255) : (16, 1)
        let numbers = [(8, 8), (frame.width / 2, frame.height / 2), (frame.width - 8, frame.height - 8)].map {
            Int(((Double(samples[$1][$0]) - foot) * scale / Double(step)).rounded())
        }
        return numbers.allSatisfy { $0 == numbers[0] } ? numbers[0] : nil
    }
}

/// A stream of frames without people, in front of a clip; it has no clock, as in transcoding.
final class ClipStream {
    private let pipeline: Pipeline
    private let frame: Frame

    init(
        _ properties: String, format: String = "GRAY8", width: Int = NumberedClip.width,
        height: Int = NumberedClip.height
    ) throws {
        frame = try Frame(caps(format, width, height))
        frame.fillBytes(with: 255)
        try HandMadeMask(width: 1, height: 1) { _, _ in 0 }.attach(to: frame)
        pipeline = try Pipeline(
            "appsrc name=source format=time ! blendmask name=blend \(properties) ! appsink name=sink sync=false"
        )
        pipeline.set("source", "caps", frame.caps)
        guard pipeline.start() else { throw SetupFailure("it does not start: \(pipeline.messages())") }
    }

    /// Errors and warnings since the last call.
    var messages: [BusMessage] { pipeline.messages() }

    /// Chooses another background.
    func set(background: String) { pipeline.set("blend", "background", background) }

    /// Shows frames, 40 milliseconds apart, until an error or a warning is posted, or `isDone` returns true
    /// for a frame's number.
    ///
    /// - Parameter first: the number of the first frame.
    /// - Returns: the numbers of all frames, and the message; nil if none was posted.
    func play(from first: Int, until isDone: (Int?) -> Bool = { _ in false }) throws -> (
        numbers: [Int?], message: BusMessage?
    ) {
        var numbers: [Int?] = []
        let end = Date(timeIntervalSinceNow: Patience.event)
        while Date() < end {
            let number = try number(at: (first + numbers.count) * 40)
            numbers.append(number)
            // Waits for a message while the decoder works.
            if let message = pipeline.nextMessage(within: 0.005) { return (numbers, message) }
            if isDone(number) { break }
        }
        return (numbers, nil)
    }

    /// Stops the pipeline and starts it again.
    func restart() {
        pipeline.set(state: GST_STATE_NULL)
        _ = pipeline.start()
    }

    /// Returns the output at a time in milliseconds.
    func frame(at milliseconds: Int) throws -> Frame { try show(frame, at: milliseconds) }

    /// Returns the output for another frame, with its own caps.
    func show(_ frame: Frame, at milliseconds: Int) throws -> Frame {
        frame.time = UInt64(milliseconds) * 1_000_000
        pipeline.set("source", "caps", frame.caps)
        pipeline.push(frame, to: "source")
        guard let shown = pipeline.pullSample(from: "sink") else {
            throw SetupFailure("no frame came out: \(pipeline.messages())")
        }
        return shown
    }

    /// Returns the number of the clip's frame that is shown.
    func number(at milliseconds: Int) throws -> Int? {
        NumberedClip.number(in: try frame(at: milliseconds))
    }

    /// Returns the numbers at 25 frames per second.
    func numbers(_ frames: Range<Int>) throws -> [Int?] { try frames.map { try number(at: $0 * 40) } }
}
