import CVips

/// The metadata in a picture's file: date, place, author, camera and the like, in EXIF, XMP and IPTC.
///
/// Pictures in them are left out, because they show the original. The orientation is that of an upright picture,
/// and libvips rewrites the sizes.
final class PictureMetadata: @unchecked Sendable {
    // Unchecked: only `init` writes.
    private let carrier: VipsPicture?
    /// The kinds of metadata, in the words of users.
    let kinds: [String]
    /// Notes about parts that are left out because they show the original picture.
    let notes: [String]

    /// Copies the metadata of a picture.
    ///
    /// - Parameter picture: an upright picture.
    init(of picture: VipsPicture) {
        var raw: UnsafeMutablePointer<VipsImage>?
        people_vips_pixel(&raw)
        carrier = raw.map { VipsPicture(taking: $0) }
        let fields = picture.fields
        for field in fields where Self.keeps(field) { carrier?.copy(field, of: picture) }
        carrier?.resolution = picture.resolution
        carrier?.set("orientation", to: 1)
        var leftOut: [String] = []
        if fields.contains(Self.thumbnail) { leftOut.append("the thumbnail in EXIF") }
        if fields.contains(where: { $0.hasSuffix("-MakerNote") }) {
            leftOut.append("the camera maker's note in EXIF, which may hold a picture")
        }
        if let carrier {
            if let bytes = carrier.bytes(Self.exif), var block = EXIFBlock(bytes) {
                block.clearMakerNote()
                block.setUpright()
                carrier.set(Self.exif, to: block.bytes)
            }
            Self.keepPacket(of: picture, fields, in: carrier, &leftOut)
            Self.keepTexts(of: picture, in: carrier, &leftOut)
            Self.removePictures(carrier, &leftOut)
        }
        notes = leftOut.map { "left out: \($0)" }
        let kept = carrier?.fields ?? []
        kinds = [(Self.exif, "EXIF"), (Self.xmp, "XMP"), (Self.iptc, "IPTC")]
            .filter { kept.contains($0.0) }.map { $0.1 }
    }

    /// Copies the metadata to a picture that is to be written.
    func apply(to picture: VipsPicture) {
        guard let carrier else { return }
        for field in carrier.fields where Self.keeps(field) { picture.copy(field, of: carrier) }
        picture.resolution = carrier.resolution
    }

    private static let (exif, xmp, iptc) = ("exif-data", "xmp-data", "iptc-data")
    private static let thumbnail = "jpeg-thumbnail-data"

    // MARK: - Parts

    private static func keepPacket(
        of picture: VipsPicture, _ fields: [String], in carrier: VipsPicture, _ leftOut: inout [String]
    ) {
        guard let bytes = picture.bytes(xmp) ?? packet(ofHEIF: picture, fields) else { return }
        let packet = XMPPacket(bytes)
        if packet.hasThumbnails { leftOut.append("thumbnails in XMP") }
        let kept = packet.ofOneUprightPicture
        if EmbeddedPicture.isIn(kept) || !packet.isUTF8 {
            carrier.remove(xmp)
            leftOut.append("XMP, which holds a picture or cannot be read")
        } else {
            carrier.set(xmp, to: kept)
        }
    }

    private static func keepTexts(
        of picture: VipsPicture, in carrier: VipsPicture, _ leftOut: inout [String]
    ) {
        guard let bytes = picture.bytes(iptc) else { return }
        let records = IPTCRecords(bytes)
        if records.lostPicture { leftOut.append("the thumbnail of Photoshop or IPTC") }
        carrier.remove(iptc)
        if let block = records.block { carrier.set(iptc, to: block) }
    }

    /// Removes EXIF and comments in which a picture remains, as libvips writes them.
    private static func removePictures(_ carrier: VipsPicture, _ leftOut: inout [String]) {
        for field in carrier.fields where field.hasPrefix("png-comment-") {
            guard let text = carrier.text(field) else { continue }
            // ImageMagick keeps whole blocks of metadata in such texts, as hexadecimal numbers.
            guard field.contains("Raw profile type") || EmbeddedPicture.isIn(Array(text.utf8)) else {
                continue
            }
            carrier.remove(field)
            leftOut.append("a text of the PNG, which holds a picture or other metadata")
        }
        guard let written = carrier.writtenBytes(exif), EmbeddedPicture.isIn(written) else { return }
        for field in carrier.fields where field.hasPrefix("exif-") { carrier.remove(field) }
        leftOut.append("EXIF, which holds a picture")
    }

    /// Returns the XMP packet of a HEIF file, whose field in libvips has a number.
    private static func packet(ofHEIF picture: VipsPicture, _ fields: [String]) -> [UInt8]? {
        fields.filter { $0.hasPrefix("heif-mime-") }.compactMap { picture.bytes($0) }
            .first { String(decoding: $0, as: UTF8.self).contains("xmpmeta") }
    }

    // MARK: - Fields

    /// Whether a field of libvips is metadata to keep.
    static func keeps(_ field: String) -> Bool {
        if [xmp, iptc, "orientation"].contains(field) || field.hasPrefix("png-comment-") { return true }
        if field == "exif-ifd0-Orientation" || parts.contains(where: field.hasSuffix) { return false }
        // The second directory belongs to the thumbnail.
        return field.hasPrefix("exif-") && !field.hasPrefix("exif-ifd1-")
    }

    /// Whether a field of libvips is metadata, kept or named.
    static func isMetadata(_ field: String) -> Bool {
        field == thumbnail || field.hasPrefix("exif-") || field.hasPrefix("heif-mime-") || keeps(field)
    }

    /// Fields of EXIF that contain other files or refer to other pictures.
    private static let parts = [
        "-MakerNote", "-XMLPacket", "-ImageResources", "-IPTC/NAA", "-SubIFDs", "-PrintImageMatching",
    ]
}

extension VipsPicture {
    /// Returns a field of bytes as it is in a file that libvips writes; nil where it is not there.
    fileprivate func writtenBytes(_ field: String) -> [UInt8]? {
        var (memory, count) = (UnsafeMutableRawPointer?.none, 0)
        guard people_vips_png(raw, &memory, &count) == 0, let memory else {
            vips_error_clear()
            return nil
        }
        defer { g_free(memory) }
        let bytes = UnsafeRawBufferPointer(start: memory, count: count)
        return try? Vips.load(bytes, .png).bytes(field)
    }
}

/// A block of EXIF: a TIFF behind six bytes (CIPA DC-008).
struct EXIFBlock {
    private(set) var bytes: [UInt8]
    private let isBigEndian: Bool
    private static let start = Array("Exif\0\0".utf8)

    /// - Returns: nil for other bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.start), bytes.count > 14 else { return nil }
        isBigEndian = bytes[6] == UInt8(ascii: "M")
        self.bytes = bytes
    }

    /// Says that the picture is upright.
    mutating func setUpright() {
        guard let orientation = entry(0x0112, inDirectoryAt: number(4, 4)) else { return }
        clear(orientation + 8, 4)
        // Two bytes: the number that means upright is 1.
        bytes[Self.start.count + orientation + (isBigEndian ? 9 : 8)] = 1
    }

    /// Replaces the camera maker's note, which may hold a picture, by four zeros.
    ///
    /// libvips and libexif keep the note also where its field was removed.
    mutating func clearMakerNote() {
        let (pointerToExif, makerNote) = (0x8769, 0x927c)
        guard let pointer = entry(pointerToExif, inDirectoryAt: number(4, 4)),
            let note = entry(makerNote, inDirectoryAt: number(pointer + 8, 4))
        else { return }
        let (count, place) = (number(note + 4, 4), number(note + 8, 4))
        if count > 4 { clear(place, count) }
        clear(note + 4, 8)
        bytes[Self.start.count + note + (isBigEndian ? 7 : 4)] = 4
    }

    /// Returns the place of an entry with a tag in a directory of the TIFF.
    private func entry(_ tag: Int, inDirectoryAt directory: Int) -> Int? {
        let first = directory + 2
        return (0..<number(directory, 2)).map { first + 12 * $0 }
            .first { number($0, 2) == tag && Self.start.count + $0 + 12 <= bytes.count }
    }

    /// Returns a number of the TIFF; 0 behind its end.
    private func number(_ place: Int, _ count: Int) -> Int {
        let start = place + Self.start.count
        guard start + count <= bytes.count else { return 0 }
        let digits = bytes[start..<start + count]
        return isBigEndian
            ? digits.reduce(0) { $0 << 8 | Int($1) } : digits.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func clear(_ place: Int, _ count: Int) {
        let start = min(bytes.count, place + Self.start.count)
        for index in start..<min(bytes.count, start + count) { bytes[index] = 0 }
    }
}

/// Texts of IPTC (IIM version 4.2) in a picture, in the block of resources that Photoshop writes.
///
/// Other resources of the block are left out, because one is a thumbnail.
struct IPTCRecords {
    /// The block, with the texts only; nil where there are none.
    let block: [UInt8]?
    /// Whether a picture was left out.
    let lostPicture: Bool

    private static let header = Array("Photoshop 3.0\0".utf8)
    private static let mark = Array("8BIM".utf8)
    /// Numbers of the resources: texts of IPTC, and thumbnails of two kinds.
    private static let (texts, thumbnails) = (0x0404, [0x0409, 0x040c])

    init(_ bytes: [UInt8]) {
        let resources = bytes.first == 0x1c ? [(id: Self.texts, data: bytes)] : Self.resources(of: bytes)
        let all = resources.filter { $0.id == Self.texts }.flatMap { Self.dataSets(of: $0.data) }
        let kept = all.filter { !$0.isPicture }.flatMap { $0.bytes }
        lostPicture =
            all.contains { $0.isPicture } || resources.contains { Self.thumbnails.contains($0.id) }
        guard !kept.isEmpty else {
            block = nil
            return
        }
        let name: [UInt8] = [UInt8(Self.texts >> 8), UInt8(Self.texts & 0xff), 0, 0]
        let size: [UInt8] = (0..<4).reversed().map { UInt8(truncatingIfNeeded: kept.count >> (8 * $0)) }
        let padding = [UInt8](repeating: 0, count: kept.count % 2)
        block = [Self.header, Self.mark, name, size, kept, padding].flatMap { $0 }
    }

    /// Returns the resources of a block; those before the fault of a damaged one.
    private static func resources(of bytes: [UInt8]) -> [(id: Int, data: [UInt8])] {
        var found: [(id: Int, data: [UInt8])] = []
        var place = bytes.starts(with: header) ? header.count : 0
        while place + 12 <= bytes.count, bytes[place...].starts(with: mark) {
            let id = Int(bytes[place + 4]) << 8 | Int(bytes[place + 5])
            // A name of Pascal, padded to an even length, and the size.
            let name = (Int(bytes[place + 6]) + 2) & ~1
            let sizePlace = place + 6 + name
            guard sizePlace + 4 <= bytes.count else { break }
            let size = bytes[sizePlace..<sizePlace + 4].reduce(0) { $0 << 8 | Int($1) }
            let start = sizePlace + 4
            guard size <= bytes.count - start else { break }
            found.append((id, Array(bytes[start..<start + size])))
            place = start + (size + 1) & ~1
        }
        return found
    }

    /// Returns the data sets of IPTC; those before the fault of a damaged block.
    private static func dataSets(of bytes: [UInt8]) -> [(bytes: [UInt8], isPicture: Bool)] {
        var found: [(bytes: [UInt8], isPicture: Bool)] = []
        var place = 0
        while place + 5 <= bytes.count, bytes[place] == 0x1c {
            let (record, number) = (bytes[place + 1], bytes[place + 2])
            let size = Int(bytes[place + 3]) << 8 | Int(bytes[place + 4])
            // The highest bit marks a length of several bytes, which only pictures need.
            guard size < 0x8000 else {
                found.append(([], true))
                break
            }
            guard place + 5 + size <= bytes.count else { break }
            let set = Array(bytes[place..<place + 5 + size])
            // 2:200 to 2:202 are a preview; the records from 7 on, the object itself.
            let isPicture =
                record == 2 && (200...202).contains(number) || record >= 7 || EmbeddedPicture.isIn(set)
            found.append((set, isPicture))
            place += 5 + size
        }
        return found
    }
}

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
