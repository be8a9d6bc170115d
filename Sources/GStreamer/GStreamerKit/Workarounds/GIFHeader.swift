import Glibc

/// The first bytes of a GIF: its version, and the size of its image.
enum GIFHeader {
    private static let length = 10

    /// Whether a file has a GIF's signature, but an unknown version or no size.
    ///
    /// FFmpeg opens no such file, and `avdemux_gif` of GStreamer 1.26.2 then ends the program: it reads
    /// through a pointer that FFmpeg has cleared. `StillPictureTests.refusesDamagedGIFs` checks that none
    /// reaches GStreamer.
    static func isDamaged(inFile path: UnsafePointer<CChar>) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: length)
        let count = read(file, &bytes, length)
        return isDamaged(bytes.prefix(max(0, count)))
    }

    private static func isDamaged(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.starts(with: "GIF8".utf8) else { return false }
        let hasVersion = bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8)
        guard hasVersion, bytes.count == length else { return true }
        let (width, height) = (bytes[6...7], bytes[8...9])
        return !width.contains { $0 != 0 } || !height.contains { $0 != 0 }
    }
}
