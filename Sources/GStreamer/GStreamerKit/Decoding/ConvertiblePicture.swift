import CGStreamer
import FileNames
import Glibc

/// Pictures that not every installation of GStreamer decodes, and the command that converts them.
enum ConvertiblePicture {
    /// Returns the kind of a file and the command that converts it, as a phrase; nil for other files.
    ///
    /// - Parameter location: a path or URI from the user.
    static func advice(_ location: MediaLocation) -> String? {
        guard let path = location.path, let kind = kind(start(of: path)) else { return nil }
        let word = g_shell_quote(path).map(copyAndFree) ?? path
        return "it is \(kind): convert it first, with vips colourspace \(word) picture.png srgb"
    }

    private static func kind(_ header: [UInt8]) -> String? {
        func has(_ text: String, at place: Int = 0) -> Bool {
            header.dropFirst(place).starts(with: text.utf8)
        }
        if has("ftypavif", at: 4) || has("ftypavis", at: 4) { return "an AVIF picture" }
        if ["heic", "heix", "mif1", "msf1", "heim", "heis"].contains(where: { has("ftyp" + $0, at: 4) }) {
            return "a HEIC picture"
        }
        if has("BM") { return "a BMP picture" }
        if has("II*\0") || has("MM\0*") { return "a TIFF picture" }
        if has("\0\0\0\u{c}JXL ") || header.starts(with: [0xff, 0x0a]) { return "a JPEG XL picture" }
        if has("\0\0\0\u{c}jP  ") { return "a JPEG 2000 picture" }
        return isCMYK(header) ? "a JPEG in CMYK" : nil
    }

    private static func isCMYK(_ header: [UInt8]) -> Bool {
        guard header.starts(with: [0xff, 0xd8, 0xff]) else { return false }
        return header.withUnsafeBytes { JPEGFrame.first(in: $0) { $0.components == 4 } } != nil
    }

    private static func start(of path: String) -> [UInt8] {
        guard let file = fopen(path.fileName, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
}
