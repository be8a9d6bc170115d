import CLittleCMS

/// Colours of a picture that its file describes by numbers, not by a profile.
struct CodedColors {
    /// The name of the colours, for notes.
    let name: String
    /// A profile of the same colours; nil for sRGB.
    let profile: [UInt8]?
    /// The name of a transfer function of high dynamic range; nil for others.
    let highDynamicRange: String?
    /// Whether a profile in the file yields to these numbers.
    let overridesProfile: Bool

    /// Reads the header of a HEIF or PNG file.
    ///
    /// - Returns: nil for other files, and for files without such numbers.
    init?(_ bytes: UnsafeRawBufferPointer, _ kind: PictureKind) {
        switch kind {
        case .heif: self.init(ofHEIF: bytes)
        case .png: self.init(ofPNG: PNGHeader(bytes))
        default: return nil
        }
    }

    private init?(ofHEIF bytes: UnsafeRawBufferPointer) {
        // The code points are in a box of the header, which comes first.
        let header = bytes.prefix(1 << 18)
        guard let place = header.firstIndex(of: Array("colrnclx".utf8)), place + 12 <= header.endIndex else {
            return nil
        }
        // Cameras name the curve of BT.709, and mean that of sRGB.
        let transfer = header[place + 11]
        let isVideo = [1, 2, 6, 14, 15].contains(transfer)
        self.init(
            primaries: header[place + 9], transfer: isVideo ? 13 : transfer, isGray: false,
            overridesProfile: false)
    }

    /// PNG, third edition, 4.3: cICP, then iCCP, sRGB, and gAMA with cHRM.
    private init?(ofPNG header: PNGHeader) {
        if let points = header.codePoints {
            self.init(
                primaries: points.primaries, transfer: points.transfer, isGray: header.isGray,
                overridesProfile: true)
        } else if !header.hasProfile, !header.isSRGB, header.gamma != nil || header.chromaticities != nil {
            self.init(gamma: header.gamma, header.chromaticities, isGray: header.isGray)
        } else {
            return nil
        }
    }

    /// - Parameters: code points of ITU-T H.273.
    private init(primaries: UInt8, transfer: UInt8, isGray: Bool, overridesProfile: Bool) {
        self.overridesProfile = overridesProfile
        highDynamicRange = [16: "PQ", 18: "HLG"][transfer]
        let set = Self.sets[primaries] ?? Self.srgb
        let curve = Self.curves[transfer] ?? Self.curves[13]
        name = "\(set.name)\(transfer == 13 || Self.curves[transfer] == nil ? "" : " (transfer \(transfer))")"
        let isSRGB = set.points == Self.srgb.points && (transfer == 13 || Self.curves[transfer] == nil)
        profile = isSRGB ? nil : curve.flatMap { Self.profile(set.points, $0, isGray: isGray) }
    }

    /// - Parameter gamma: the exponent of encoding.
    private init(gamma: Double?, _ points: Chromaticities?, isGray: Bool) {
        (highDynamicRange, overridesProfile) = (nil, false)
        // Programs write 0.45455 beside the curve of sRGB, for which it stands.
        let isCurveOfSRGB = gamma.map { abs($0 - 0.45455) < 0.0005 } ?? true
        let isSRGB = isCurveOfSRGB && (points?.isNear(Self.srgb.points) ?? true)
        let curve = isCurveOfSRGB ? Self.curves[13] : Curve(kind: 1, [1 / (gamma ?? 1)])
        name = isCurveOfSRGB ? "the file's primaries" : "gamma \(gamma.map { "\($0)" } ?? "")"
        profile =
            isSRGB ? nil : curve.flatMap { Self.profile(points ?? Self.srgb.points, $0, isGray: isGray) }
    }
}

/// Chromaticities x and y of white, red, green and blue.
struct Chromaticities: Equatable {
    let white: [Double]
    let red: [Double]
    let green: [Double]
    let blue: [Double]

    /// Whether all are equal but for rounding.
    func isNear(_ other: Chromaticities) -> Bool {
        zip(values, other.values).allSatisfy { abs($0 - $1) < 0.001 }
    }

    private var values: [Double] { [white, red, green, blue].flatMap { $0 } }
}

extension CodedColors {
    /// A parametric curve of LittleCMS, from values to light.
    fileprivate struct Curve {
        let kind: Int32
        let parameters: [Double]

        init(kind: Int32, _ parameters: [Double]) { (self.kind, self.parameters) = (kind, parameters) }
    }

    private static let daylight = [0.3127, 0.3290]

    fileprivate static let srgb = (
        name: "sRGB",
        points: Chromaticities(white: daylight, red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06])
    )

    /// Primaries by their code points (ITU-T H.273, table 2).
    fileprivate static let sets: [UInt8: (name: String, points: Chromaticities)] = [
        1: srgb,
        4: (
            "BT.470 M",
            Chromaticities(
                white: [0.310, 0.316], red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08])
        ),
        5: (
            "BT.601 (625 lines)",
            Chromaticities(white: daylight, red: [0.64, 0.33], green: [0.29, 0.60], blue: [0.15, 0.06])
        ),
        6: (
            "BT.601 (525 lines)",
            Chromaticities(
                white: daylight, red: [0.630, 0.340], green: [0.310, 0.595], blue: [0.155, 0.070])
        ),
        7: (
            "SMPTE 240M",
            Chromaticities(
                white: daylight, red: [0.630, 0.340], green: [0.310, 0.595], blue: [0.155, 0.070])
        ),
        9: (
            "BT.2020",
            Chromaticities(
                white: daylight, red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046])
        ),
        11: (
            "DCI P3",
            Chromaticities(
                white: [0.314, 0.351], red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060])
        ),
        12: (
            "Display P3",
            Chromaticities(
                white: daylight, red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060])
        ),
    ]

    private static let bt709 = Curve(kind: 4, [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081])

    /// Transfer functions by their code points (ITU-T H.273, table 3).
    fileprivate static let curves: [UInt8: Curve] = [
        1: bt709, 6: bt709, 14: bt709, 15: bt709, 4: Curve(kind: 1, [2.2]), 5: Curve(kind: 1, [2.8]),
        8: Curve(kind: 1, [1]), 13: Curve(kind: 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]),
        17: Curve(kind: 1, [2.6]),
    ]

    /// Returns an ICC profile.
    fileprivate static func profile(_ points: Chromaticities, _ curve: Curve, isGray: Bool) -> [UInt8]? {
        var parameters = curve.parameters
        guard let tone = cmsBuildParametricToneCurve(nil, curve.kind, &parameters) else { return nil }
        defer { cmsFreeToneCurve(tone) }
        var white = cmsCIExyY(x: points.white[0], y: points.white[1], Y: 1)
        let made: cmsHPROFILE?
        if isGray {
            made = cmsCreateGrayProfile(&white, tone)
        } else {
            func color(_ point: [Double]) -> cmsCIExyY { cmsCIExyY(x: point[0], y: point[1], Y: 1) }
            var primaries = cmsCIExyYTRIPLE(
                Red: color(points.red), Green: color(points.green), Blue: color(points.blue))
            var tones = [Optional(tone), tone, tone]
            made = cmsCreateRGBProfile(&white, &primaries, &tones)
        }
        guard let made else { return nil }
        defer { cmsCloseProfile(made) }
        var size: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(made, nil, &size) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        return cmsSaveProfileToMem(made, &bytes, &size) != 0 ? bytes : nil
    }
}

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
