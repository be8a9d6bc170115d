import Glibc

/// Files that decoders of some versions do not survive: their first bytes tell.
enum DamagedHeader {
    private static let length = 10

    /// What is damaged, "GIF" or "JPEG"; nil for other files.
    static func kind(ofFile path: UnsafePointer<CChar>) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: length)
        let count = read(file, &bytes, length)
        let header = bytes.prefix(max(0, count))
        if isDamagedGIF(header) { return "GIF" }
        return startsTwice(header) ? "JPEG" : nil
    }

    /// Whether it calls itself a GIF, but is of no version or has no size.
    ///
    /// FFmpeg opens none of these, and `avdemux_gif` of GStreamer 1.26.2 ends the program then: it reads through a pointer
    /// that FFmpeg has cleared.
    private static func isDamagedGIF(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.starts(with: "GIF8".utf8) else { return false }
        let hasVersion = bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8)
        guard hasVersion, bytes.count == length else { return true }
        let (width, height) = (bytes[6...7], bytes[8...9])
        return !width.contains { $0 != 0 } || !height.contains { $0 != 0 }
    }

    /// Whether it has two starts of a JPEG, one after the other: `jpegdec` of GStreamer 1.22 never ends with those.
    private static func startsTwice(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: [0xff, 0xd8, 0xff, 0xd8])
    }
}
