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

/// Samples that are no unsigned numbers of 8 or 16 bits.
enum WideSamples {
    /// Returns a picture with samples of 16 bits in the place of floating-point numbers and of other widths.
    ///
    /// Samples of CIE L*a*b*, which has scales of its own, remain. Floating-point numbers from 0 (black) to 1 (white)
    /// have the curve of the picture's profile, or of sRGB.
    static func integers(_ picture: VipsPicture, _ notes: inout [String]) throws(VipsFailure) -> VipsPicture {
        let white: Double
        var samples = picture
        switch picture.sampleFormat {
        case VIPS_FORMAT_UCHAR, VIPS_FORMAT_USHORT: return picture
        case VIPS_FORMAT_CHAR: white = 127
        case VIPS_FORMAT_SHORT: white = 32767
        case VIPS_FORMAT_UINT: white = 4_294_967_295
        case VIPS_FORMAT_INT: white = 2_147_483_647
        case VIPS_FORMAT_FLOAT, VIPS_FORMAT_DOUBLE:
            guard !picture.isLab else { return picture }
            // Rows are decoded in order, and are needed twice.
            samples = try picture.inMemory
            white = try self.white(of: samples, &notes)
        default: throw VipsFailure("its samples are complex numbers")
        }
        let scaled = try samples.applying { people_vips_scaled_to_ushort($0, $1, 65535 / white) }
        scaled.nameSamplesOf16Bits()
        return scaled
    }

    /// The floating-point number that is white: 1, or that of integers that were stored so.
    private static func white(of picture: VipsPicture, _ notes: inout [String]) throws(VipsFailure) -> Double
    {
        let (mean, maximum) = try picture.meanAndMaximum
        let white = mean > 512 ? 65535.0 : mean > 2 ? 255 : 1
        if white > 1 {
            notes.append("its floating-point samples are read as numbers from 0 to \(Int(white))")
        }
        if maximum > white * 1.001 { notes.append("what is brighter than white becomes white") }
        return white
    }
}

/// The name of a colour profile (ICC.1).
enum ColorProfileName {
    /// Returns the name of a profile: the text of its tag `desc`; nil if it cannot be read.
    static func name(of profile: [UInt8]) -> String? {
        func number(_ place: Int, _ count: Int = 4) -> Int {
            guard place >= 0, place + count <= profile.count else { return 0 }
            return profile[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
        }
        func text(_ place: Int) -> String {
            guard place >= 0, place + 4 <= profile.count else { return "" }
            return String(decoding: profile[place..<place + 4], as: UTF8.self)
        }
        // The table of tags follows the header; each entry has a name, an offset and a size.
        let (table, entry) = (132, 12)
        guard
            let tag = (0..<min(number(128), 100)).map({ table + $0 * entry }).first(where: {
                text($0) == "desc"
            })
        else { return nil }
        let place = number(tag + 4)
        switch text(place) {
        // Version 2: a text in ASCII.
        case "desc":
            let length = number(place + 8)
            guard length > 0, place + 12 + length <= profile.count else { return nil }
            return clean(String(decoding: profile[place + 12..<place + 12 + length], as: UTF8.self))
        // Version 4: texts in several languages, in UTF-16; the first one is taken.
        case "mluc":
            let (length, start) = (number(place + 20), place + number(place + 24))
            guard length > 0, start + length <= profile.count else { return nil }
            let units = stride(from: start, to: start + (length & ~1), by: 2).map { UInt16(number($0, 2)) }
            return clean(String(decoding: units, as: UTF16.self))
        default: return nil
        }
    }

    private static func clean(_ text: String) -> String? {
        let shown = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let name = String(String.UnicodeScalarView(shown))
        return name.isEmpty ? nil : name
    }
}
