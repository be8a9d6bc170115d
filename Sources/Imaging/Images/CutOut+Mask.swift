import Glibc

extension CutOut {
    /// Cuts out the part that a mask covers, upright, and removes the old background's colour from soft
    /// edges.
    ///
    /// - Parameters:
    ///   - image: image of any format; only its colours count, not its alpha.
    ///   - mask: mask of the whole stored image, at any size.
    ///   - orientation: orientation of the stored image.
    ///   - smallestPart: minimum certain area of a part, as a share of the largest one's, 0...1; smaller
    ///     parts are left out.
    ///   - isCropped: whether the result is cropped to the visible part.
    /// - Returns: nil when nothing is visible, or memory is short.
    public init?(
        _ image: ImageView, mask: Mask, orientation: ImageOrientation = .up, smallestPart: Double = 0.002,
        isCropped: Bool = true
    ) {
        guard let copy = UprightCopy(image, orientation), let mask = mask.upright(orientation) else {
            return nil
        }
        // The code below uses only pointers into the memory of both.
        defer { withExtendedLifetime((copy, mask)) {} }
        let composition = Composition(source: .transparent(premultiplied: false), decontaminate: true)
        do throws(CompositingError) {
            try MaskCompositor().composite(copy.view, mask: mask.view, composition)
        } catch { return nil }
        self.init(ImageView(copy.view), smallestPart: smallestPart, isCropped: isCropped)
    }
}

/// An opaque, upright RGBA copy of an image.
private final class UprightCopy {
    let view: MutableImageView
    private let memory: UnsafeMutableRawPointer

    /// Number of rows that are converted at a time: their values take four times the memory of the pixels.
    private static let rowsAtATime = 64

    init?(_ image: ImageView, _ orientation: ImageOrientation) {
        let (width, height) = orientation.upright(image.width, image.height)
        // `calloc` is used because `allocate` ends the program when memory is short.
        guard let memory = calloc(height, 4 * width) else { return nil }
        guard
            let view = MutableImageView(
                format: .rgba, width: width, height: height,
                plane: MutablePlane(base: memory, stride: 4 * width), byteCount: 4 * width * height)
        else {
            free(memory)
            return nil
        }
        (self.view, self.memory) = (view, memory)
        do throws(SamplingError) {
            for top in stride(from: 0, to: height, by: Self.rowsAtATime) {
                try copy(image, orientation, rows: top..<min(top + Self.rowsAtATime, height))
            }
        } catch { return nil }
    }

    deinit { free(memory) }

    private func copy(
        _ image: ImageView, _ orientation: ImageOrientation, rows: Range<Int>
    ) throws(SamplingError) {
        let sampler = try TensorSampler(
            TensorInput(width: view.width, height: rows.count, low: 0, high: 255))
        let values = UnsafeMutableBufferPointer<Float>.allocate(capacity: sampler.input.valueCount)
        defer { values.deallocate() }
        values.initialize(repeating: 0)
        let band = Rectangle(
            x: 0, y: Double(rows.lowerBound) / Double(view.height),
            width: 1, height: Double(rows.count) / Double(view.height))
        let region = FrameTransform.crop(band).followed(by: .orientation(orientation))
        try sampler.sample(image, region: region, into: values)
        for y in rows {
            let (source, target) = (3 * view.width * (y - rows.lowerBound), view.plane(0).row(y))
            for x in 0..<view.width {
                for channel in 0..<3 {
                    target[4 * x + channel] = .rounded(min(max(values[source + 3 * x + channel], 0), 255))
                }
                target[4 * x + 3] = 255
            }
        }
    }
}

extension Mask {
    /// Returns the mask of the upright image; nil when memory is short.
    fileprivate func upright(_ orientation: ImageOrientation) -> Mask? {
        guard orientation != .up else { return self }
        let (width, height) = orientation.upright(view.width, view.height)
        guard let region = FrameTransform.orientation(orientation).inverse else { return nil }
        let rotated = try? Mask(format: view.format, width: width, height: height) { rotated in
            try values.withUnsafeBufferPointer { values in
                try MaskWriter().write(
                    values, width: view.width, height: view.height, region: region, into: rotated)
            }
        }
        return rotated ?? nil
    }
}
