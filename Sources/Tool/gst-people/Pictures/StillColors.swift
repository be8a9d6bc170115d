import CVips

/// Conversion of a picture's colours to sRGB with 8 bits per sample.
enum StillColors {
    /// Converts a picture.
    ///
    /// - Parameters:
    ///   - coded: colours in the header of a HEIF file without a profile.
    ///   - notes: gets the changes.
    /// - Returns: three samples per pixel, or four with alpha.
    static func convert(
        _ picture: VipsPicture, _ coded: CodedColors?, _ notes: inout [String]
    ) throws(VipsFailure) -> VipsPicture {
        let integers = try WideSamples.integers(picture, &notes)
        let converted = try inSRGB(integers, coded, &notes)
        let samples = converted.isDeep ? try converted.applying { people_vips_cast_uchar($0, $1) } : converted
        switch samples.bands {
        case 3, 4: return samples
        case 5...: return try samples.applying { people_vips_first_bands($0, $1, 4) }
        default: throw VipsFailure("it has \(samples.bands) samples per pixel")
        }
    }

    private static func inSRGB(
        _ picture: VipsPicture, _ coded: CodedColors?, _ notes: inout [String]
    ) throws(VipsFailure) -> VipsPicture {
        if let coded, coded.overridesProfile { picture.remove(VIPS_META_ICC_NAME) }
        if let profile = picture.bytes(VIPS_META_ICC_NAME) {
            if picture.bands < 5, !picture.isCMYK, Self.isSRGB(profile) { return try plain(picture) }
            let name = ColorProfileName.name(of: profile) ?? "its colour profile"
            if let converted = try? picture.applying({ people_vips_from_profile($0, $1) }) {
                notes.append("colours are converted from \(name) to sRGB")
                return converted
            }
            notes.append("its colour profile (\(name)) does not fit and is not applied")
        } else if let coded, let profile = coded.profile {
            // Libvips knows samples of a palette and of grey as colours, too.
            picture.set(VIPS_META_ICC_NAME, to: profile)
            if let converted = try? picture.applying({ people_vips_from_profile($0, $1) }) {
                notes.append("colours are converted from \(coded.name) to sRGB")
                return converted
            }
            notes.append("its colours (\(coded.name)) are not converted")
        }
        if picture.isCMYK {
            notes.append("colours are converted from CMYK without a profile to sRGB, as browsers do")
            return try inverted(picture)
        }
        return try plain(picture)
    }

    /// Converts inks without a profile: each ink absorbs its share of red, green or blue, and black absorbs
    /// all three.
    private static func inverted(_ picture: VipsPicture) throws(VipsFailure) -> VipsPicture {
        let shallow = picture.isDeep ? try picture.applying { people_vips_high_bytes($0, $1) } : picture
        let (inks, bands) = (try shallow.pixels, picture.bands)
        guard bands >= 4 else { throw VipsFailure("it has \(bands) samples per pixel") }
        var colors: [UInt8] = []
        colors.reserveCapacity(3 * inks.count / bands)
        for pixel in stride(from: 0, to: inks.count - bands + 1, by: bands) {
            let light = 255 - UInt16(inks[pixel + 3])
            for ink in inks[pixel..<pixel + 3] {
                colors.append(UInt8(truncatingIfNeeded: ((255 - UInt16(ink)) * light + 127) / 255))
            }
        }
        let result = try VipsPicture(pixels: colors, width: picture.width, height: picture.height, bands: 3)
        for field in picture.fields where PictureMetadata.isMetadata(field) {
            result.copy(field, of: picture)
        }
        result.resolution = picture.resolution
        return result
    }

    /// Converts a picture without a profile, whose numbers are those of sRGB.
    private static func plain(_ picture: VipsPicture) throws(VipsFailure) -> VipsPicture {
        try picture.applying { people_vips_to_srgb($0, $1) }
    }

    /// Whether a profile changes no colour by more than the last bit; most photos have a profile of sRGB.
    private static func isSRGB(_ profile: [UInt8]) -> Bool {
        let steps = (0...8).map { UInt8(clamping: $0 * 32) }
        let grid = steps.flatMap { red in steps.flatMap { green in steps.flatMap { [red, green, $0] } } }
        guard let colors = try? VipsPicture(pixels: grid, width: grid.count / 3, height: 1, bands: 3) else {
            return false
        }
        colors.set(VIPS_META_ICC_NAME, to: profile)
        guard let converted = try? colors.applying({ people_vips_from_profile($0, $1) }).pixels,
            converted.count == grid.count
        else { return false }
        return zip(grid, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
}
