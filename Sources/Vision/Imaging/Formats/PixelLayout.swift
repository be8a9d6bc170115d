/// The meaning of the three colour components of a format.
package enum ColorModel: Sendable {
    /// The components are R, G, B.
    case rgb
    /// The components are Y, Cb, Cr.
    case yuv
    /// There is one component, Y.
    case gray
}

/// One row of the format table: the components and their places.
package struct PixelLayout: Sendable {
    /// The meaning of `components`.
    package let model: ColorModel
    /// Number of planes, 1 to 4.
    package let planeCount: Int
    /// The components Y, Cb, Cr or R, G, B; for grey all three are the only component.
    package let components: (ComponentLayout, ComponentLayout, ComponentLayout)
    /// The alpha component, if the format has one.
    package let alpha: ComponentLayout?
    let storage: SampleStorage

    /// Bytes per sample: 1, or 2 in little-endian order.
    package var bytesPerSample: Int { storage.bytes }
    /// Number of significant bits of a sample: 8, 10, 12 or 16.
    package var depth: Int { storage.depth }
    /// Number of bits to the right of the significant ones, which are 0.
    package var shift: Int { storage.shift }
    /// The largest code value.
    package var maximum: Int { (1 << depth) - 1 }

    /// Number of different colour components: 1 for grey, else 3.
    package var colorCount: Int { model == .gray ? 1 : 3 }

    /// Returns the colour component `index` (0...2).
    package func component(_ index: Int) -> ComponentLayout {
        switch index {
        case 0: components.0
        case 1: components.1
        default: components.2
        }
    }

    /// Number of different colour components, plus one if there is alpha.
    var partCount: Int { colorCount + (alpha == nil ? 0 : 1) }

    /// Returns the part `index` (0..<`partCount`): a colour component, or alpha after them.
    func part(_ index: Int) -> ComponentLayout {
        index < colorCount ? component(index) : alpha ?? components.0
    }

    /// Returns the bytes of a row of `plane` that contain samples when the image is `width` pixels wide.
    ///
    /// Padding inside a pixel (the x of RGBx) counts; padding after the row does not.
    package func rowBytes(plane: Int, width: Int) -> Int {
        rowSamples(plane: plane, width: width) &* storage.bytes
    }

    /// Returns the number of samples in a row of `plane`.
    func rowSamples(plane: Int, width: Int) -> Int {
        var samples = 0
        for index in 0..<partCount {
            let part = part(index)
            guard part.plane == plane else { continue }
            samples = max(samples, part.sampleWidth(width) &* part.step)
        }
        return samples
    }

    /// Returns the number of samples after which the components of a row of `plane` repeat.
    func period(plane: Int) -> Int {
        var period = 1
        for index in 0..<partCount where part(index).plane == plane { period = max(period, part(index).step) }
        return period
    }

    /// Returns the largest number of samples in a row of any plane.
    func longestRow(width: Int) -> Int {
        var longest = 0
        for plane in 0..<planeCount { longest = max(longest, rowSamples(plane: plane, width: width)) }
        return longest
    }

    /// Returns the smallest range of whole pixels around `samples` in formats that store R, G and B together.
    func wholePixels(_ samples: Range<Int>) -> Range<Int> {
        guard model == .rgb else { return samples }
        let step = components.0.step
        let first = samples.lowerBound / step * step
        return first..<max(first, (samples.upperBound + step - 1) / step * step)
    }

    /// Returns the number of rows of `plane` when the image is `height` pixels high.
    package func rows(plane: Int, height: Int) -> Int { firstPart(in: plane)?.sampleHeight(height) ?? 0 }

    /// Returns log2 of the vertical subsampling of `plane`, the same for all its components.
    package func heightShift(plane: Int) -> Int { firstPart(in: plane)?.heightShift ?? 0 }

    /// Returns the bytes of a row of `plane` before pixel `x`, which is the first that shares its chroma.
    package func bytes(plane: Int, before x: Int) -> Int {
        firstPart(in: plane).map { x >> $0.widthShift &* $0.pixelStride } ?? 0
    }

    /// Log2 of the pixels, along each axis, that share a sample of the component with the fewest samples.
    package var sharedShifts: (width: Int, height: Int) {
        var shifts = (width: 0, height: 0)
        for index in 0..<colorCount {
            let part = component(index)
            shifts = (max(shifts.width, part.widthShift), max(shifts.height, part.heightShift))
        }
        return shifts
    }

    private func firstPart(in plane: Int) -> ComponentLayout? {
        for index in 0..<partCount where part(index).plane == plane { return part(index) }
        return nil
    }
}

/// The places of a component's samples inside an image.
package struct ComponentLayout: Sendable, Equatable {
    /// Index of the plane.
    package let plane: Int
    /// log2 of the horizontal subsampling: 1 if two pixels share a sample.
    package let widthShift: Int
    /// log2 of the vertical subsampling.
    package let heightShift: Int
    /// Number of samples from the start of a row to the component's first.
    let first: Int
    /// Number of samples from one of the component's samples to its right neighbour.
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

    /// Bytes from the start of a row to the component's first sample.
    package var offset: Int { first &* bytesPerSample }
    /// Bytes from one sample to its right neighbour.
    package var pixelStride: Int { step &* bytesPerSample }

    /// Returns the number of samples in a row of an image of `width` pixels; the last may cover fewer pixels.
    package func sampleWidth(_ width: Int) -> Int { shifted(width, by: widthShift) }

    /// Returns the number of rows of samples in an image of `height` pixels.
    package func sampleHeight(_ height: Int) -> Int { shifted(height, by: heightShift) }

    private func shifted(_ size: Int, by shift: Int) -> Int { (size &+ (1 << shift) &- 1) >> shift }
}

/// The storage of a format's samples.
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

    /// Number of bits below the significant ones.
    var shift: Int {
        switch self {
        case .highTenBits: 6
        case .highTwelveBits: 4
        case .byte, .tenBits, .twelveBits, .word: 0
        }
    }
}

/// The owner of a sample in a plane's row.
enum SampleOwner: Equatable {
    /// Sample `sample` of part `part`: a colour component or alpha.
    case part(Int, sample: Int)
    /// Padding of pixel `pixel`.
    case padding(pixel: Int)
}

extension PixelLayout {
    /// Returns the owner of sample `index` of a row of `plane`.
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
