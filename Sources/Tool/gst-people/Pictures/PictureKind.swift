/// Kinds of picture files that libvips reads for the tool, by their first bytes.
enum PictureKind: CaseIterable {
    case jpeg, png, webp, tiff, heif, jpegXL, jpeg2000, bmp

    /// Number of bytes of a file that determine its kind.
    static let headerLength = 64

    /// Recognises a file by its first bytes.
    ///
    /// - Returns: nil for other kinds.
    init?(_ bytes: some Collection<UInt8>) {
        let header = Array(bytes.prefix(Self.headerLength))
        guard let kind = Self.allCases.first(where: { $0.begins(header) }) else { return nil }
        self = kind
    }

    /// The libvips class that reads files of this kind.
    var loader: String {
        switch self {
        case .jpeg: "VipsForeignLoadJpeg"
        case .png: "VipsForeignLoadPng"
        case .webp: "VipsForeignLoadWebp"
        case .tiff: "VipsForeignLoadTiff"
        case .heif: "VipsForeignLoadHeif"
        case .jpegXL: "VipsForeignLoadJxl"
        case .jpeg2000: "VipsForeignLoadJp2k"
        case .bmp: "VipsForeignLoadMagick"
        }
    }

    private func begins(_ header: [UInt8]) -> Bool {
        func has(_ text: String, at place: Int = 0) -> Bool {
            header.dropFirst(place).starts(with: text.utf8)
        }
        func has(_ bytes: [UInt8]) -> Bool { header.starts(with: bytes) }
        switch self {
        case .jpeg: return has([0xff, 0xd8, 0xff])
        case .png: return has([0x89] + Array("PNG\r\n\u{1a}\n".utf8))
        case .webp: return has("RIFF") && has("WEBP", at: 8)
        case .tiff: return has("II*\0") || has("MM\0*") || has("II+\0") || has("MM\0+")
        case .heif: return has("ftyp", at: 4) && !Self.brands(header).isDisjoint(with: Self.heifBrands)
        case .jpegXL: return has([0xff, 0x0a]) || has("\0\0\0\u{c}JXL ")
        case .jpeg2000: return has("\0\0\0\u{c}jP  ") || has([0xff, 0x4f, 0xff, 0x51])
        // A text may begin with these letters, so the four bytes with the second header's size are checked,
        // too.
        case .bmp:
            return has("BM") && header.count > 17 && [12, 40, 52, 56, 64, 108, 124].contains(header[14])
                && header[15...17].allSatisfy { $0 == 0 }
        }
    }

    /// Brands of pictures in HEVC, AV1 and other codings.
    private static let heifBrands: Set<String> = [
        "heic", "heix", "heim", "heis", "mif1", "mif2", "msf1", "avif", "avis",
    ]

    /// Returns the brands of a file of ISO/IEC 14496-12: the major brand and the compatible ones.
    private static func brands(_ header: [UInt8]) -> Set<String> {
        let size = min(header.count, header.count > 3 ? Int(header[3]) : 0)
        let places = [8] + stride(from: 16, through: max(0, size - 4), by: 4)
        return Set(
            places.filter { $0 + 4 <= header.count }.map {
                String(decoding: header[$0..<$0 + 4], as: UTF8.self)
            })
    }
}

/// Kinds of picture files that the tool does not read, and the commands that convert them.
struct ForeignPicture {
    /// The kind as a phrase: "a raw photo of a camera".
    let kind: String
    /// Makes the command, given the file's name.
    private let command: (String) -> String

    /// Recognises a file by its name or its first bytes.
    ///
    /// - Returns: nil for other kinds.
    init?(path: String, _ header: [UInt8]) {
        func has(_ bytes: String, at place: Int = 0) -> Bool {
            header.dropFirst(place).starts(with: bytes.utf8)
        }
        let name = path.lowercased()
        let text = String(decoding: header, as: UTF8.self)
        if Self.rawEndings.contains(where: name.hasSuffix) || has("CR\u{2}", at: 8) || has("FUJIFILMCCD-RAW")
            || has("ftypcrx ", at: 4)
        {
            (kind, command) = ("a raw photo of a camera", { "darktable-cli \($0) picture.png" })
        } else if text.contains("<svg") {
            (kind, command) = ("a drawing (SVG)", { "rsvg-convert \($0) -o picture.png" })
        } else if has("%PDF") {
            (kind, command) = ("a document (PDF)", { "pdftoppm -png -singlefile -r 200 \($0) picture" })
        } else if let kind = Self.signatures.first(where: { has($0.bytes) })?.kind {
            (self.kind, command) = (kind, { "convert \($0)'[0]' picture.png" })
        } else {
            return nil
        }
    }

    /// Whether it is a picture, not a document.
    var isImage: Bool { !kind.contains("PDF") }

    /// Returns the command that converts the file to a readable picture.
    func conversion(of word: String) -> String { command(word) }

    private static let rawEndings = [
        ".dng", ".nef", ".nrw", ".cr2", ".cr3", ".arw", ".orf", ".rw2", ".pef", ".srw", ".raf",
    ]

    private static let signatures: [(bytes: String, kind: String)] = [
        ("8BPS", "a picture of Photoshop (PSD)"), ("gimp xcf", "a picture of GIMP (XCF)"),
        ("v/1\u{1}", "an OpenEXR picture"), ("\0\0\u{1}\0", "an icon (ICO)"),
        ("#?RADIANCE", "a Radiance picture (HDR)"), ("DDS ", "a texture (DDS)"),
    ]
}

// MARK: - Marks in files

extension Collection<UInt8> {
    /// Returns the index of the first bytes that are equal to a mark; nil where there are none.
    ///
    /// - Parameter mark: one byte or more.
    func firstIndex(of mark: [UInt8]) -> Index? {
        guard let first = mark.first else { return nil }
        // The first byte by itself: in the standard library's `firstRange`, each place costs a call.
        return indices.first { self[$0] == first && self[$0...].starts(with: mark) }
    }

    /// Whether the bytes of a mark, which has one or more, are among these in a row.
    func contains(_ mark: [UInt8]) -> Bool { firstIndex(of: mark) != nil }
}
