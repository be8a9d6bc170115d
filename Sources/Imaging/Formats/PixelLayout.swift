/// What the three colour components of a format mean.
public enum ColorModel: Sendable {
    /// Components are R, G, B.
    case rgb
    /// Components are Y, Cb, Cr.
    case yuv
    /// There is one component, Y.
    case gray
}

/// One row of the format table: what the components are and where they lie.
public struct PixelLayout: Sendable {
    /// What `components` mean.
    public let model: ColorModel
    /// Number of planes, 1 to 4.
    public let planeCount: Int
    /// Y, Cb, Cr or R, G, B; for grey all three name the only component.
    public let components: (ComponentLayout, ComponentLayout, ComponentLayout)
    /// The alpha component, if the format has one.
    public let alpha: ComponentLayout?
    let storage: SampleStorage

    /// Bytes of a sample: 1, or 2 in little-endian order.
    public var bytesPerSample: Int { storage.bytes }
    /// Significant bits of a sample: 8, 10, 12 or 16.
    public var depth: Int { storage.depth }
    /// Bits to the right of the significant ones, which are 0.
    public var shift: Int { storage.shift }
    /// The largest code value.
    public var maximum: Int { (1 << depth) - 1 }

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

    /// Number of colour components that differ, and alpha if there is one.
    var partCount: Int { colorCount + (alpha == nil ? 0 : 1) }

    /// The part `index` (0..<`partCount`): a colour component, or alpha after them.
    func part(_ index: Int) -> ComponentLayout {
        index < colorCount ? component(index) : alpha ?? components.0
    }

    /// Bytes of a row of `plane` that hold samples when the image is `width` pixels wide.
    ///
    /// Padding inside a pixel (the x of RGBx) counts; padding after the row does not.
    public func rowBytes(plane: Int, width: Int) -> Int {
        rowSamples(plane: plane, width: width) &* storage.bytes
    }

    /// Samples in a row of `plane`.
    func rowSamples(plane: Int, width: Int) -> Int {
        var samples = 0
        for index in 0..<partCount {
            let part = part(index)
            guard part.plane == plane else { continue }
            samples = max(samples, part.sampleWidth(width) &* part.step)
        }
        return samples
    }

    /// Samples after which a row of `plane` has the same components again.
    func period(plane: Int) -> Int {
        var period = 1
        for index in 0..<partCount where part(index).plane == plane { period = max(period, part(index).step) }
        return period
    }

    /// The largest number of samples in a row of any plane.
    func longestRow(width: Int) -> Int {
        var longest = 0
        for plane in 0..<planeCount { longest = max(longest, rowSamples(plane: plane, width: width)) }
        return longest
    }

    /// The smallest range around `samples` that has whole pixels where R, G and B are stored together.
    func wholePixels(_ samples: Range<Int>) -> Range<Int> {
        guard model == .rgb else { return samples }
        let step = components.0.step
        let first = samples.lowerBound / step * step
        return first..<max(first, (samples.upperBound + step - 1) / step * step)
    }

    /// Rows of `plane` when the image is `height` pixels high.
    public func rows(plane: Int, height: Int) -> Int { firstPart(in: plane)?.sampleHeight(height) ?? 0 }

    /// log2 of the vertical subsampling of `plane`, the same for all its components.
    func heightShift(plane: Int) -> Int { firstPart(in: plane)?.heightShift ?? 0 }

    private func firstPart(in plane: Int) -> ComponentLayout? {
        for index in 0..<partCount where part(index).plane == plane { return part(index) }
        return nil
    }
}

/// Where one component's samples lie inside an image.
public struct ComponentLayout: Sendable, Equatable {
    /// Index of the plane.
    public let plane: Int
    /// log2 of the horizontal subsampling: 1 where two pixels share a sample.
    public let widthShift: Int
    /// log2 of the vertical subsampling.
    public let heightShift: Int
    /// Samples from the start of a row to the component's first.
    let first: Int
    /// Samples from one of the component's to its right neighbour.
    let step: Int
    private let bytesPerSample: Int

    init(
        _ storage: SampleStorage, plane: Int, first: Int, step: Int,
        shifts: (width: Int, height: Int) = (0, 0)
    ) {
        self.plane = plane
        self.first = first
        self.step = step
        bytesPerSample = storage.bytes
        (widthShift, heightShift) = shifts
    }

    /// Bytes from the start of a row to its first sample.
    public var offset: Int { first &* bytesPerSample }
    /// Bytes from one sample to its right neighbour.
    public var pixelStride: Int { step &* bytesPerSample }

    /// Number of samples in a row of an image of `width` pixels; the last may cover fewer pixels.
    public func sampleWidth(_ width: Int) -> Int { shifted(width, by: widthShift) }

    /// Number of rows of samples in an image of `height` pixels.
    public func sampleHeight(_ height: Int) -> Int { shifted(height, by: heightShift) }

    private func shifted(_ size: Int, by shift: Int) -> Int { (size &+ (1 << shift) &- 1) >> shift }
}

/// How the samples of a format are stored.
enum SampleStorage: Sendable {
    /// 8 bits.
    case byte
    /// 10 bits in the lower part of two bytes.
    case tenBits
    /// 10 bits in the upper part of two bytes.
    case highTenBits
    /// 12 bits in the lower part of two bytes.
    case twelveBits
    /// 12 bits in the upper part of two bytes.
    case highTwelveBits
    /// 16 bits.
    case word

    var bytes: Int { self == .byte ? 1 : 2 }

    var depth: Int {
        switch self {
        case .byte: 8
        case .tenBits, .highTenBits: 10
        case .twelveBits, .highTwelveBits: 12
        case .word: 16
        }
    }

    /// Bits below the significant ones.
    var shift: Int {
        switch self {
        case .highTenBits: 6
        case .highTwelveBits: 4
        case .byte, .tenBits, .twelveBits, .word: 0
        }
    }
}

/// What a sample of a plane's row belongs to.
enum SampleOwner: Equatable {
    /// Sample `sample` of part `part`: a colour component or alpha.
    case part(Int, sample: Int)
    /// Padding of pixel `pixel`.
    case padding(pixel: Int)
}

extension PixelLayout {
    /// The owner of sample `index` of a row of `plane`.
    func owner(ofSample index: Int, plane: Int) -> SampleOwner {
        for number in 0..<partCount {
            let part = part(number)
            let distance = index - part.first
            if part.plane == plane, distance >= 0, distance % part.step == 0 {
                return .part(number, sample: distance / part.step)
            }
        }
        return .padding(pixel: index / components.0.step)
    }
}
