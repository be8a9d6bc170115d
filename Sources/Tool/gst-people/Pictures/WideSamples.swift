import CVips

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
