/// Pictures inside of metadata, by the marks with which their files begin.
enum EmbeddedPicture {
    /// Whether bytes contain a JPEG or PNG, or one of the usual kinds of pictures and clips in Base64.
    static func isIn(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in marks.contains { bytes.contains($0) } }
    }

    /// The first bytes of JPEG and PNG, and the Base64 of JPEG, PNG, WebP, TIFF, GIF, HEIF and MP4.
    private static let marks: [[UInt8]] =
        [[0xff, 0xd8, 0xff], [0x89, 0x50, 0x4e, 0x47]]
        + ["/9j/", "iVBORw0KGgo", "UklGR", "SUkqA", "TU0AK", "R0lGOD", "GZ0eX"].map { Array($0.utf8) }
}
