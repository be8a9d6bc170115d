public import Foundation

/// Image files with false claims in their headers, or with damage.
public enum HostilePictures {
    /// The folder of small images of each kind, from which the tests start.
    public static let folder = Checkout.root.appendingPathComponent("Tests/Fixtures/pictures")

    /// Returns the bytes of the small images, by name.
    public static func all() throws -> [(name: String, bytes: Data)] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { ($0.lastPathComponent, try Data(contentsOf: $0)) }
    }

    /// Returns the same file with other sides in its header; nil for kinds with an unknown header.
    public static func claiming(width: Int, height: Int, _ file: Data) -> Data? {
        var bytes = Array(file)
        let (wide, high) = (UInt16(truncatingIfNeeded: width), UInt16(truncatingIfNeeded: height))
        let bigEndian = { (value: UInt16) in [UInt8(value >> 8), UInt8(value & 255)] }
        let littleEndian = { (value: UInt16) in [UInt8(value & 255), UInt8(value >> 8)] }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
            bytes.replaceSubrange(16..<24, with: [0, 0] + bigEndian(wide) + [0, 0] + bigEndian(high))
            let sum = crc(bytes[12..<29])
            bytes.replaceSubrange(
                29..<33, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) })
            return Data(bytes)
        }
        if bytes.starts(with: Array("GIF8".utf8)) {
            bytes.replaceSubrange(6..<10, with: littleEndian(wide) + littleEndian(high))
            return Data(bytes)
        }
        // Start of frame, baseline or progressive: length, depth, rows, columns.
        guard bytes.starts(with: [0xff, 0xd8]),
            let frame = (2..<bytes.count - 9).first(where: {
                bytes[$0] == 0xff && [0xc0, 0xc2].contains(bytes[$0 + 1])
            })
        else { return nil }
        bytes.replaceSubrange(frame + 5..<frame + 9, with: bigEndian(high) + bigEndian(wide))
        return Data(bytes)
    }

    /// Returns the check sum of a PNG chunk (CRC-32).
    private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum: UInt32 = .max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
        return ~sum
    }
}

extension SeededGenerator {
    /// Returns a damaged copy: cut short, with bits flipped, or with parts removed, repeated or overwritten.
    public mutating func damaged(_ file: Data) -> Data {
        var bytes = Array(file)
        for _ in 0..<Int.random(in: 1...4, using: &self) where bytes.count > 4 {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            let end = min(bytes.count, place + Int.random(in: 1...32, using: &self))
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes.removeSubrange(place...)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 3: bytes.removeSubrange(place..<end)
            case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default:
                let fill: UInt8 = Bool.random(using: &self) ? 0 : 255
                for index in place..<end { bytes[index] = fill }
            }
        }
        return Data(bytes)
    }
}
