import CommandKit
import MediaFiles

/// The levels of a video's sound.
struct SoundLevels {
    /// Samples a second, which are enough for voices, and those of a level, which are 20 ms.
    private static let (rate, step) = (8000, 160)
    /// Level of pauses, at most, beside that of loud parts: 20 dB less.
    private static let pause = 0.1
    /// Level of silence, at most, of 1: -60 dB.
    private static let silence = 0.001
    /// Length of the pauses between syllables, in levels.
    private static let reach = 5

    /// The root of the mean square of the samples, from 0 to 1; empty without sound.
    private let levels: [Double]
    /// The level that only a twentieth exceed.
    private let loud: Double

    /// Reads the first sound track; a file without one, or whose sound cannot be read, has no levels.
    init(of job: Job) throws(ToolError) {
        var (levels, bytes) = ([Double](), [UInt8]())
        let size = 2 * Self.step
        let end = job.range.end.map { ["-t", (Double($0) / 1e9).text(decimals: 3)] } ?? []
        let isRead = try FFmpeg.read(
            end + MediaInput(path: job.source, named: job.inputName).arguments + [
                "-map", "0:a:0", "-ac", "1", "-af", "aresample=\(Self.rate):async=1:first_pts=0", "-f",
                "s16le",
                "-",
            ]
        ) { part in
            bytes += part
            let whole = bytes.count - bytes.count % size
            for start in stride(from: 0, to: whole, by: size) {
                levels.append(Self.level(bytes[start..<start + size]))
            }
            bytes.removeFirst(whole)
        }
        self.levels = isRead ? levels : []
        let sorted = self.levels.sorted()
        loud = sorted.isEmpty ? 0 : sorted[sorted.count * 19 / 20]
    }

    private static func level(_ bytes: ArraySlice<UInt8>) -> Double {
        let sum = bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 1, by: 2).reduce(0.0) { sum, place in
                let sample = Double(
                    Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int16.self)))
                return sum + sample * sample
            }
        }
        return (sum / Double(step)).squareRoot() / 32768
    }

    /// Whether there is more than a pause at a time; always without levels.
    ///
    /// - Parameter time: nanoseconds since the beginning of the file.
    func isLoud(at time: UInt64) -> Bool {
        guard !levels.isEmpty else { return true }
        let place = Int(
            min(time / (1_000_000_000 * UInt64(Self.step) / UInt64(Self.rate)), UInt64(levels.count)))
        let around = max(0, place - Self.reach)..<min(levels.count, place + Self.reach + 1)
        return around.contains { levels[$0] > max(Self.silence, Self.pause * loud) }
    }
}
