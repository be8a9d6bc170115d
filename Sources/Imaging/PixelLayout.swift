/// What the three colour components of a format mean.
public enum ColorModel: Sendable {
    /// Components are R, G, B.
    case rgb
    /// Components are Y, Cb, Cr.
    case yuv
    /// There is one component, Y.
    case gray
}

/// Where one component's samples lie inside an image.
public struct ComponentLayout: Sendable, Equatable {
    /// Index of the plane.
    public let plane: Int
    /// Bytes from the start of a row to its first sample.
    public let offset: Int
    /// Bytes from one sample to its right neighbour.
    public let pixelStride: Int
    /// log2 of the horizontal subsampling: 1 where two pixels share a sample.
    public let widthShift: Int
    /// log2 of the vertical subsampling.
    public let heightShift: Int

    init(_ plane: Int, _ offset: Int, _ pixelStride: Int, _ widthShift: Int = 0, _ heightShift: Int = 0) {
        self.plane = plane
        self.offset = offset
        self.pixelStride = pixelStride
        self.widthShift = widthShift
        self.heightShift = heightShift
    }

    /// Number of samples in a row of an image of `width` pixels; the last may cover half a pixel pair.
    public func sampleWidth(_ width: Int) -> Int { shifted(width, by: widthShift) }

    /// Number of rows of samples in an image of `height` pixels.
    public func sampleHeight(_ height: Int) -> Int { shifted(height, by: heightShift) }

    private func shifted(_ size: Int, by shift: Int) -> Int { (size &+ (1 << shift) &- 1) >> shift }
}

/// One row of the format table: what the components are and where they lie.
public struct PixelLayout: Sendable {
    /// What `components` mean.
    public let model: ColorModel
    /// Number of planes, 1 to 3.
    public let planeCount: Int
    /// Y, Cb, Cr or R, G, B; for grey all three name the only component.
    public let components: (ComponentLayout, ComponentLayout, ComponentLayout)
    /// The alpha component, if the format has one.
    public let alpha: ComponentLayout?

    /// Number of colour components that differ: 1 for grey, else 3.
    public var colorCount: Int { model == .gray ? 1 : 3 }

    /// The colour component `index` (0...2).
    public func component(_ index: Int) -> ComponentLayout {
        switch index {
        case 0: components.0
        case 1: components.1
        default: components.2
        }
    }

    /// Bytes of a row of `plane` that hold samples when the image is `width` pixels wide.
    ///
    /// Padding bytes inside a pixel (the x of RGBx) count; padding behind the row does not.
    public func rowBytes(plane: Int, width: Int) -> Int {
        var bytes = 0
        for index in 0..<colorCount {
            let part = component(index)
            guard part.plane == plane else { continue }
            bytes = max(bytes, part.sampleWidth(width) &* part.pixelStride)
        }
        return bytes
    }

    /// Rows of `plane` when the image is `height` pixels high.
    public func rows(plane: Int, height: Int) -> Int {
        for index in 0..<colorCount where component(index).plane == plane {
            return component(index).sampleHeight(height)
        }
        return 0
    }

    /// log2 of the vertical subsampling of `plane`, the same for all its components.
    func heightShift(plane: Int) -> Int {
        for index in 0..<colorCount where component(index).plane == plane {
            return component(index).heightShift
        }
        return 0
    }
}

// MARK: - The table

extension PixelLayout {
    static func of(_ format: PixelFormat) -> PixelLayout {
        switch format {
        case .i420: planar(chroma: (1, 2))
        case .yv12: planar(chroma: (2, 1))
        case .nv12: semiPlanar(chroma: (0, 1))
        case .nv21: semiPlanar(chroma: (1, 0))
        case .yuy2: packedYUV(0, 1, 3)
        case .uyvy: packedYUV(1, 0, 2)
        case .yvyu: packedYUV(0, 3, 1)
        case .rgb: packedRGB(0, 1, 2, bytes: 3)
        case .bgr: packedRGB(2, 1, 0, bytes: 3)
        case .rgbx: packedRGB(0, 1, 2)
        case .bgrx: packedRGB(2, 1, 0)
        case .xrgb: packedRGB(1, 2, 3)
        case .xbgr: packedRGB(3, 2, 1)
        case .rgba: packedRGB(0, 1, 2, alpha: 3)
        case .bgra: packedRGB(2, 1, 0, alpha: 3)
        case .argb: packedRGB(1, 2, 3, alpha: 0)
        case .abgr: packedRGB(3, 2, 1, alpha: 0)
        case .gray8: grey
        }
    }

    private static var grey: PixelLayout {
        let luma = ComponentLayout(0, 0, 1)
        return PixelLayout(model: .gray, planeCount: 1, components: (luma, luma, luma), alpha: nil)
    }

    /// 4:2:0 in three planes; `chroma` names the planes of Cb and Cr.
    private static func planar(chroma: (Int, Int)) -> PixelLayout {
        PixelLayout(
            model: .yuv, planeCount: 3,
            components: (
                ComponentLayout(0, 0, 1), ComponentLayout(chroma.0, 0, 1, 1, 1),
                ComponentLayout(chroma.1, 0, 1, 1, 1)
            ), alpha: nil)
    }

    /// 4:2:0 with Cb and Cr interleaved in plane 1; `chroma` gives their byte offsets.
    private static func semiPlanar(chroma: (Int, Int)) -> PixelLayout {
        PixelLayout(
            model: .yuv, planeCount: 2,
            components: (
                ComponentLayout(0, 0, 1), ComponentLayout(1, chroma.0, 2, 1, 1),
                ComponentLayout(1, chroma.1, 2, 1, 1)
            ), alpha: nil)
    }

    /// 4:2:2 with two pixels in four bytes, at these byte offsets.
    private static func packedYUV(_ luma: Int, _ cb: Int, _ cr: Int) -> PixelLayout {
        PixelLayout(
            model: .yuv, planeCount: 1,
            components: (
                ComponentLayout(0, luma, 2), ComponentLayout(0, cb, 4, 1), ComponentLayout(0, cr, 4, 1)
            ), alpha: nil)
    }

    /// One pixel in `bytes` bytes, components at these byte offsets.
    private static func packedRGB(
        _ red: Int, _ green: Int, _ blue: Int, bytes: Int = 4, alpha: Int? = nil
    ) -> PixelLayout {
        PixelLayout(
            model: .rgb, planeCount: 1,
            components: (
                ComponentLayout(0, red, bytes), ComponentLayout(0, green, bytes),
                ComponentLayout(0, blue, bytes)
            ), alpha: alpha.map { ComponentLayout(0, $0, bytes) })
    }
}
