import Foundation
import TestSupport

/// Changes fields of MP4 files that GStreamer 1.22 does not write.
struct MP4 {
    private var bytes: Data

    init(_ path: String) throws { bytes = try Data(contentsOf: URL(fileURLWithPath: path)) }

    func write(_ path: String) throws { try bytes.write(to: URL(fileURLWithPath: path)) }

    /// Writes the clockwise turn that makes the image, `height` rows high, upright.
    ///
    /// It is the matrix of the first track header (ISO/IEC 14496-12, 8.3.2), in 16.16 fixed point except for
    /// the last column.
    mutating func turn(height: Int32) throws {
        let one: Int32 = 1 << 16
        try put([0, one, 0, -one, 0, 0, height * one, 0, 1 << 30], 40, behind: "tkhd", 0)
    }

    /// Writes that the audio starts `samples` late in its first packet, as encoders that prime do.
    ///
    /// It is in the edit list of the second track (8.6.6).
    mutating func skip(samples: Int32, rate: Int32) throws {
        let ticks = try number(12, behind: "mvhd", 0)
        let duration = try number(8, behind: "elst", 1)
        try put([duration - samples * ticks / rate, samples], 8, behind: "elst", 1)
    }

    private func place(_ box: String, _ index: Int) throws -> Int {
        var start = bytes.startIndex
        for _ in 0..<index {
            guard let found = bytes.range(of: Data(box.utf8), in: start..<bytes.endIndex) else { break }
            start = found.upperBound
        }
        guard let found = bytes.range(of: Data(box.utf8), in: start..<bytes.endIndex) else {
            throw SetupFailure("no \(box)")
        }
        return found.upperBound
    }

    private func number(_ offset: Int, behind box: String, _ index: Int) throws -> Int32 {
        let start = try place(box, index) + offset
        return bytes[start..<start + 4].reduce(0) { $0 << 8 | Int32($1) }
    }

    private mutating func put(_ values: [Int32], _ offset: Int, behind box: String, _ index: Int) throws {
        let start = try place(box, index) + offset
        let new = values.flatMap { value in withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        bytes.replaceSubrange(start..<start + new.count, with: new)
    }
}
