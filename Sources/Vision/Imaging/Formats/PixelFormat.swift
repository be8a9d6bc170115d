/// The pixel formats that the library reads and writes in place.
///
/// The raw value is GStreamer's name of the format in `video/x-raw` caps; caps are derived from
/// `allCases`. To add a format, add a case here and its row in the table below.
public enum PixelFormat: String, CaseIterable, Sendable {
    case i420 = "I420"
    case yv12 = "YV12"
    case nv12 = "NV12"
    case nv21 = "NV21"
    case y42b = "Y42B"
    case y41b = "Y41B"
    case y444 = "Y444"
    case yuy2 = "YUY2"
    case uyvy = "UYVY"
    case yvyu = "YVYU"
    case ayuv = "AYUV"
    case a420 = "A420"
    case rgb = "RGB"
    case bgr = "BGR"
    case rgbx = "RGBx"
    case bgrx = "BGRx"
    case xrgb = "xRGB"
    case xbgr = "xBGR"
    case rgba = "RGBA"
    case bgra = "BGRA"
    case argb = "ARGB"
    case abgr = "ABGR"
    case gray8 = "GRAY8"
    case i420Deep = "I420_10LE"
    case i422Deep = "I422_10LE"
    case y444Deep = "Y444_10LE"
    case p010 = "P010_10LE"
    case p016 = "P016_LE"
    case argb64 = "ARGB64"
    case argb64LE = "ARGB64_LE"
    case rgba64 = "RGBA64_LE"
    case bgra64 = "BGRA64_LE"
    case abgr64 = "ABGR64_LE"
    case gray16 = "GRAY16_LE"
    case nv16 = "NV16"
    case nv61 = "NV61"
    case nv24 = "NV24"
    case vuya = "VUYA"
    case i420Twelve = "I420_12LE"
    case i422Twelve = "I422_12LE"
    case y444Twelve = "Y444_12LE"
    case p012 = "P012_LE"
}

extension PixelFormat {
    /// The places of this format's samples; the row of the format table.
    package var layout: PixelLayout { PixelLayout.of(self) }
}

extension PixelLayout {
    // The format table: one row per pixel format, built from a few families.
    static func of(_ format: PixelFormat) -> PixelLayout {
        switch format {
        case .i420: planar()
        case .yv12: planar(chroma: (2, 1))
        case .nv12: semiPlanar()
        case .nv21: semiPlanar(chroma: (1, 0))
        case .y42b: planar(shifts: (1, 0))
        case .y41b: planar(shifts: (2, 0))
        case .y444: planar(shifts: (0, 0))
        case .yuy2: pairs(0, 1, 3)
        case .uyvy: pairs(1, 0, 2)
        case .yvyu: pairs(0, 3, 1)
        case .ayuv: packed(.yuv, 1, 2, 3, alpha: 0)
        case .a420: planar(hasAlpha: true)
        case .rgb: packed(.rgb, 0, 1, 2, samples: 3)
        case .bgr: packed(.rgb, 2, 1, 0, samples: 3)
        case .rgbx: packed(.rgb, 0, 1, 2)
        case .bgrx: packed(.rgb, 2, 1, 0)
        case .xrgb: packed(.rgb, 1, 2, 3)
        case .xbgr: packed(.rgb, 3, 2, 1)
        case .rgba: packed(.rgb, 0, 1, 2, alpha: 3)
        case .bgra: packed(.rgb, 2, 1, 0, alpha: 3)
        case .argb: packed(.rgb, 1, 2, 3, alpha: 0)
        case .abgr: packed(.rgb, 3, 2, 1, alpha: 0)
        case .gray8: grey(.byte)
        case .i420Deep: planar(.tenBits)
        case .i422Deep: planar(.tenBits, shifts: (1, 0))
        case .y444Deep: planar(.tenBits, shifts: (0, 0))
        case .p010: semiPlanar(.highTenBits)
        case .p016: semiPlanar(.word)
        case .argb64, .argb64LE: packed(.rgb, 1, 2, 3, alpha: 0, storage: .word)
        case .rgba64: packed(.rgb, 0, 1, 2, alpha: 3, storage: .word)
        case .bgra64: packed(.rgb, 2, 1, 0, alpha: 3, storage: .word)
        case .abgr64: packed(.rgb, 3, 2, 1, alpha: 0, storage: .word)
        case .gray16: grey(.word)
        case .nv16: semiPlanar(shifts: (1, 0))
        case .nv61: semiPlanar(chroma: (1, 0), shifts: (1, 0))
        case .nv24: semiPlanar(shifts: (0, 0))
        case .vuya: packed(.yuv, 2, 1, 0, alpha: 3)
        case .i420Twelve: planar(.twelveBits)
        case .i422Twelve: planar(.twelveBits, shifts: (1, 0))
        case .y444Twelve: planar(.twelveBits, shifts: (0, 0))
        case .p012: semiPlanar(.highTwelveBits)
        }
    }

    private static func grey(_ storage: SampleStorage) -> PixelLayout {
        let luma = ComponentLayout(storage, plane: 0, first: 0, step: 1)
        return PixelLayout(
            model: .gray, planeCount: 1, components: (luma, luma, luma), alpha: nil, storage: storage)
    }

    /// Returns the layout of a format with every component in a plane of its own.
    ///
    /// `chroma` are the planes of Cb and Cr, `shifts` their subsampling.
    private static func planar(
        _ storage: SampleStorage = .byte, chroma: (Int, Int) = (1, 2), shifts: (Int, Int) = (1, 1),
        hasAlpha: Bool = false
    ) -> PixelLayout {
        let full = { ComponentLayout(storage, plane: $0, first: 0, step: 1) }
        let shared = { ComponentLayout(storage, plane: $0, first: 0, step: 1, shifts: shifts) }
        return PixelLayout(
            model: .yuv, planeCount: hasAlpha ? 4 : 3,
            components: (full(0), shared(chroma.0), shared(chroma.1)), alpha: hasAlpha ? full(3) : nil,
            storage: storage)
    }

    /// Returns the layout of a format with Cb and Cr interleaved in plane 1.
    ///
    /// `chroma` are their places, `shifts` their subsampling.
    private static func semiPlanar(
        _ storage: SampleStorage = .byte, chroma: (Int, Int) = (0, 1), shifts: (Int, Int) = (1, 1)
    ) -> PixelLayout {
        let shared = { ComponentLayout(storage, plane: 1, first: $0, step: 2, shifts: shifts) }
        return PixelLayout(
            model: .yuv, planeCount: 2,
            components: (
                ComponentLayout(storage, plane: 0, first: 0, step: 1), shared(chroma.0), shared(chroma.1)
            ), alpha: nil, storage: storage)
    }

    /// Returns the layout of 4:2:2 with two pixels in four bytes, at these places.
    private static func pairs(_ luma: Int, _ cb: Int, _ cr: Int) -> PixelLayout {
        let shared = { ComponentLayout(.byte, plane: 0, first: $0, step: 4, shifts: (1, 0)) }
        return PixelLayout(
            model: .yuv, planeCount: 1,
            components: (ComponentLayout(.byte, plane: 0, first: luma, step: 2), shared(cb), shared(cr)),
            alpha: nil, storage: .byte)
    }

    /// Returns the layout of one pixel in `samples` samples, with components at these places.
    private static func packed(
        _ model: ColorModel, _ first: Int, _ second: Int, _ third: Int, samples: Int = 4, alpha: Int? = nil,
        storage: SampleStorage = .byte
    ) -> PixelLayout {
        let part = { ComponentLayout(storage, plane: 0, first: $0, step: samples) }
        return PixelLayout(
            model: model, planeCount: 1, components: (part(first), part(second), part(third)),
            alpha: alpha.map(part), storage: storage)
    }
}
