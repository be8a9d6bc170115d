import CommandKit
import Foundation
import MediaFiles
import Testing

/// Streams that are written and read again, and that ffmpeg reads and writes.
final class NUTTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "nut-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private static let track = NUTTrack(
        codecTag: Array("I420".utf8), timeBase: Rational(1001, 30000), width: 4, height: 2,
        pixelAspectRatio: Rational(12, 11))

    /// Times of the frames of 12 bytes, and the value of all their bytes.
    private static let frames: [(time: Int, value: UInt8)] = [(0, 7), (1, 0), (5, 78), (1_000_000_007, 255)]

    private func write(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        var writer = try NUTWriter(.descriptor(descriptor), Self.track)
        for frame in Self.frames {
            let bytes = [UInt8](repeating: frame.value, count: 12)
            try writer.begin(NUTPacket(time: frame.time, isKey: true, byteCount: bytes.count))
            var outcome: Result<Void, ToolError> = .success(())
            bytes.withUnsafeBytes { bytes in
                do throws(ToolError) { try writer.write(bytes) } catch { outcome = .failure(error) }
            }
            try outcome.get()
        }
    }

    @Test func readsWhatItWrites() throws {
        try write(path("own.nut"))
        let descriptor = open(path("own.nut"), O_RDONLY)
        defer { close(descriptor) }
        guard var reader = try NUTReader.open(descriptor) else {
            Issue.record("there is no stream")
            return
        }
        #expect(reader.track == Self.track)
        for frame in Self.frames {
            guard let packet = try reader.next() else {
                Issue.record("frames are missing")
                return
            }
            #expect(packet == NUTPacket(time: frame.time, isKey: true, byteCount: 12))
            #expect(try bytes(of: packet, &reader) == [UInt8](repeating: frame.value, count: 12))
        }
        let last = try reader.next()
        #expect(last == nil)
    }

    private func bytes(of packet: NUTPacket, _ reader: inout NUTReader) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: packet.byteCount)
        var outcome: Result<Void, ToolError> = .success(())
        bytes.withUnsafeMutableBytes { bytes in
            do throws(ToolError) { try reader.read(into: bytes) } catch { outcome = .failure(error) }
        }
        try outcome.get()
        return bytes
    }

    @Test func ffmpegReadsWhatItWrites() throws {
        try write(path("own.nut"))
        var lines: [String] = []
        let arguments = ["-show_entries", "packet=pts,size", "-of", "csv=p=0", "-i", path("own.nut")]
        let messages = try FFmpeg.probe(arguments) { lines.append(String(cString: $0)) }
        // The reader of NUT reports a missing index, which streams in a pipe do not have.
        #expect(messages.messages.filter { $0.source != "nut" }.isEmpty)
        #expect(lines == Self.frames.map { "\($0.time),12\n" })
    }

    /// ffmpeg reads too few frames of 3 MB to find a rate by itself.
    @Test(arguments: [Rational(25, 1), Rational(30000, 1001)])
    func ffmpegIsToldTheRate(_ rate: Rational) throws {
        var track = Self.track
        (track.width, track.height, track.rate) = (1920, 1080, rate)
        let descriptor = open(path("large.nut"), O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        var writer = try NUTWriter(.descriptor(descriptor), track)
        let bytes = [UInt8](repeating: 128, count: 1920 * 1080 * 3 / 2)
        for time in 0..<3 {
            try writer.begin(NUTPacket(time: time, isKey: true, byteCount: bytes.count))
            var outcome: Result<Void, ToolError> = .success(())
            bytes.withUnsafeBytes { bytes in
                do throws(ToolError) { try writer.write(bytes) } catch { outcome = .failure(error) }
            }
            try outcome.get()
        }
        var text = ""
        let shown = ["-show_entries", "stream=r_frame_rate", "-of", "csv=p=0"]
        _ = try FFmpeg.probe(shown + ["-i", path("large.nut")]) { text += String(cString: $0) }
        #expect(text == "\(rate)\n")
    }

    @Test(arguments: ["rawvideo", "libx264", "libx265", "libvpx-vp9", "mpeg4"])
    func readsWhatFFmpegWrites(codec: String) throws {
        let made = path("made.nut")
        let result = try FFmpeg.run([
            "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=30000/1001:duration=3", "-pix_fmt", "yuv420p",
            "-c:v", codec,
            "-y", made,
        ])
        try #require(result.isDone)
        var expected: [[Int]] = []
        _ = try FFmpeg.probe(["-show_entries", "packet=pts,size", "-of", "csv=p=0", "-i", made]) { line in
            expected.append(String(cString: line).dropLast().split(separator: ",").map { Int($0) ?? -1 })
        }
        let descriptor = open(made, O_RDONLY)
        defer { close(descriptor) }
        guard var reader = try NUTReader.open(descriptor) else {
            Issue.record("there is no stream")
            return
        }
        #expect((reader.track.width, reader.track.height) == (160, 90))
        var found: [[Int]] = []
        while let packet = try reader.next() {
            found.append([packet.time, packet.byteCount])
            if found.count % 3 == 0 { _ = try bytes(of: packet, &reader) }
        }
        #expect(found == expected)
    }

    @Test func reportsThatAStreamIsDamaged() throws {
        for bytes in [[0x6E, 0x75], [UInt8](repeating: 0x4E, count: 200)] {
            try Data(bytes).write(to: URL(fileURLWithPath: path("damaged.nut")))
            let descriptor = open(path("damaged.nut"), O_RDONLY)
            defer { close(descriptor) }
            #expect(throws: ToolError.self) { _ = try NUTReader.open(descriptor) }
        }
    }

    @Test(arguments: [
        (1, 1001, 30000, 1, 1_000_000_000, 33_366_667), (-3, 1, 2, 1, 1, -2), (3, 1, 2, 1, 1, 2),
        (7, 1, 90000, 1, 90000, 7),
        (36_000_000_000_000, 1, 1_000_000_000, 1, 90000, 3_240_000_000),
    ])
    func rescalesToTheNearest(value: Int, _ a: Int, _ b: Int, _ c: Int, _ d: Int, expected: Int) {
        #expect(value.rescaled(from: Rational(a, b), to: Rational(c, d)) == expected)
    }
}
