/// Colours and kind of a PNG file, from the chunks before its samples (PNG, third edition, 11.3.2).
struct PNGHeader {
    /// Code points of ITU-T H.273 in `cICP`.
    private(set) var codePoints: (primaries: UInt8, transfer: UInt8)?
    private(set) var hasProfile = false
    private(set) var isSRGB = false
    /// The exponent of encoding; nil where the file does not say.
    private(set) var gamma: Double?
    private(set) var chromaticities: Chromaticities?
    private(set) var isGray = false
    /// Whether the file is an animation.
    private(set) var isAnimated = false

    init(_ bytes: UnsafeRawBufferPointer) {
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        var place = 8
        while place + 12 <= bytes.count {
            let (length, start) = (number(place), place + 8)
            guard length <= bytes.count - start - 4 else { return }
            let numbers = stride(from: start, to: start + length - length % 4, by: 4).map {
                Double(number($0)) / 100_000
            }
            switch String(decoding: bytes[place + 4..<start], as: UTF8.self) {
            case "IHDR" where length == 13: isGray = bytes[start + 9] == 0 || bytes[start + 9] == 4
            case "cICP" where length == 4: codePoints = (bytes[start], bytes[start + 1])
            case "iCCP": hasProfile = true
            case "sRGB": isSRGB = true
            // Zero has no meaning, and is ignored.
            case "gAMA" where length == 4: gamma = numbers[0] > 0 ? numbers[0] : nil
            case "cHRM" where length == 32:
                chromaticities = Chromaticities(
                    white: Array(numbers[0..<2]), red: Array(numbers[2..<4]), green: Array(numbers[4..<6]),
                    blue: Array(numbers[6..<8]))
            case "acTL": isAnimated = true
            case "IDAT": return
            default: break
            }
            place = start + length + 4
        }
    }
}
