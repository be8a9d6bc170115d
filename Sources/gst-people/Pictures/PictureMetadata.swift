import CVips

/// The metadata in a picture's file: date, place, author, camera and the like, in EXIF, XMP and IPTC.
///
/// EXIF's thumbnail is left out, because it shows the original picture. The orientation is that of an upright
/// picture, and libvips rewrites the sizes.
final class PictureMetadata: @unchecked Sendable {
    // Unchecked: only `init` writes.
    private let carrier: VipsPicture?
    /// The kinds of metadata, in the words of users.
    let kinds: [String]

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
        let packet = picture.bytes(Self.xmp) ?? Self.packet(ofHEIF: picture, fields)
        if let packet { carrier?.set(Self.xmp, to: XMPPacket(packet).ofOneUprightPicture) }
        carrier?.set("orientation", to: 1)
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

    /// Returns the XMP packet of a HEIF file, whose field in libvips has a number.
    private static func packet(ofHEIF picture: VipsPicture, _ fields: [String]) -> [UInt8]? {
        fields.filter { $0.hasPrefix("heif-mime-") }.compactMap { picture.bytes($0) }
            .first { String(decoding: $0, as: UTF8.self).contains("xmpmeta") }
    }

    /// Whether a field of libvips is metadata to keep.
    static func keeps(_ field: String) -> Bool {
        if [xmp, iptc, "orientation"].contains(field) || field.hasPrefix("png-comment-") { return true }
        if field == "exif-ifd0-Orientation" { return false }
        // The second directory belongs to the thumbnail.
        return field.hasPrefix("exif-") && !field.hasPrefix("exif-ifd1-")
    }
}
