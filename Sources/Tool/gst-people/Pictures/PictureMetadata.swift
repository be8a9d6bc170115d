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
