import CGStreamer
import Foundation
import TestSupport
import Testing

/// Background files that are damaged or make false claims: pictures of all kinds, and clips.
struct BackgroundFuzzTests {
    /// Maximum temporary memory for a frame's background: a picture at its limit, 1 GiB decoded.
    private static let mostBytes = 1200 << 20
    private static let formats = ["RGB", "I420", "ARGB64"]
    private static let sizes = [(32, 24), (24, 32), (48, 20)]

    @Test func aFileIsShownOrRefused() throws {
        let scratch = try Scratch()
        var files = try HostilePictures.all()
        for name in ["clip.mp4", "clip.webm"] {
            let clip = try NumberedClip.make(name, in: scratch, frames: 0..<5)
            files.append((name, try Data(contentsOf: URL(fileURLWithPath: clip))))
        }
        var noise = SeededGenerator(seed: 1)
        let frames = try Self.formats.flatMap { format in
            try Self.sizes.map { try Frame.noise(caps(format, $0.0, $0.1), &noise) }
        }
        let stream = try BackgroundStream(frames[0])
        var number = 0
        try Fuzz(surface: "backgrounds", usual: 40).run { generator in
            let file = generator.pick(files)
            var bytes = file.bytes
            if generator.once(in: 4) {
                let (width, height) = generator.hostileSize()
                bytes = HostilePictures.claiming(width: width, height: height, bytes) ?? bytes
            }
            if !generator.once(in: 5) { bytes = generator.damaged(bytes) }
            // The name of the last decoded picture would prevent decoding, so each file has its own.
            number += 1
            let path = try scratch.file("\(number)-\(file.name)", bytes)
            defer { unlink(path) }
            let (before, isFirst) = (ProcessMemory.resident, generator.once(in: 20))
            ProcessMemory.forgetPeak()
            let frame = generator.pick(frames)
            let wrong = isFirst ? try start(path, frame) : stream.change(to: path, frame)
            let growth = ProcessMemory.peak - before
            return (growth > Self.mostBytes ? "took \(growth >> 20) MiB" : wrong).map {
                "\(file.name): \($0); its bytes: \(bytes.base64EncodedString())"
            }
        }
    }

    /// Starts a stream with the background; the stream is refused with an error if that is unreadable.
    private func start(_ path: String, _ frame: Frame) throws -> String? {
        let pipeline = try Pipeline(
            "appsrc name=source format=time caps=\(frame.caps) ! blendmask background=\(path) "
                + "! appsink name=sink sync=false")
        defer { pipeline.set(state: GST_STATE_NULL) }
        guard pipeline.start() else {
            return pipeline.nextMessage()?.kind == .error ? nil : "no error"
        }
        pipeline.push(frame, to: "source")
        guard let shown = pipeline.pullSample(from: "sink") else {
            return pipeline.nextMessage()?.kind == .error ? nil : "neither a frame nor an error"
        }
        return shown.isSeen(frame) ? "the frame is shown" : nil
    }
}

/// A stream of frames without masks, whose background is changed repeatedly.
private final class BackgroundStream {
    private let harness: Harness
    private var isSquare = false

    /// Makes a stream with a background; it is live, so that no frame waits for a clip.
    init(_ frame: Frame) throws {
        harness = try Harness(
            "blendmask background=\(Checkout.astronaut.path) no-mask=cover", caps: frame.caps, isLive: true)
        _ = try harness.transform(frame)
    }

    /// Changes the background and the caps, so that the file is read before the next frame; returns the
    /// fault, if any.
    func change(to path: String, _ frame: Frame) -> String? {
        harness.set("background", path)
        // Another pixel aspect ratio makes the caps differ from the previous ones.
        isSquare.toggle()
        harness.setCaps("\(frame.caps),pixel-aspect-ratio=\(isSquare ? "1/1" : "2/1")")
        for _ in 0..<2 {
            let flow = harness.push(frame)
            guard flow == GST_FLOW_OK, let shown = harness.pull() else {
                return "flow \(flow.rawValue), \(harness.messages())"
            }
            if shown.isSeen(frame) { return "the frame is shown" }
        }
        return harness.messages().first { $0.kind == .error }.map { "\($0)" }
    }
}

extension Frame {
    /// Returns a frame of noise, which no picture resembles.
    fileprivate static func noise(_ caps: String, _ generator: inout SeededGenerator) throws -> Frame {
        let frame = try Frame(caps)
        for index in 0..<3 { frame.fill(index) { _, _ in UInt8.random(in: 0...255, using: &generator) } }
        return frame
    }

    /// Whether a part of a frame of noise is visible in this one; one of 256 samples is equal by chance.
    fileprivate func isSeen(_ noise: Frame) -> Bool {
        let mine = (0..<3).flatMap { samples($0).joined() }
        let others = (0..<3).flatMap { noise.samples($0).joined() }
        let same = zip(mine, others).count { $0 == $1 }
        return mine.count != others.count || same * 20 > mine.count
    }
}

extension SeededGenerator {
    /// Sides that a header may claim; the largest accepted ones take seconds and 1 GiB, and are rare.
    fileprivate mutating func hostileSize() -> (Int, Int) {
        if once(in: 500) { return (16383, 16383) }
        let sides = [1, 0, 2, 300, 3000, 30000, 65535]
        return (pick(sides), pick(sides))
    }
}
