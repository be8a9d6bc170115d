import Glibc

/// An opaque, upright RGBA copy of an image.
package final class UprightImage {
    /// The copy, valid as long as the object lives.
    package let view: MutableImageView
    private let memory: UnsafeMutableRawPointer

    /// Number of rows that are converted at a time: their values take four times the memory of the pixels.
    private static let rowsAtATime = 64

    /// Copies an image in its own size; nil when memory is short.
    package convenience init?(_ image: ImageView, _ orientation: ImageOrientation) {
        self.init(image, orientation, of: .unit, size: orientation.upright(image.width, image.height))
    }

    /// Copies an image in another size, which it fills: what sticks out is cut off evenly.
    ///
    /// - Returns: nil when memory is short.
    package convenience init?(
        _ image: ImageView, _ orientation: ImageOrientation, filling size: (width: Int, height: Int)
    ) {
        let whole = orientation.upright(image.width, image.height)
        let part = PictureFit.cover.placement(of: whole, in: size).source
        let (width, height) = (Double(whole.width), Double(whole.height))
        let shown = Rectangle(
            x: Double(part.x) / width, y: Double(part.y) / height, width: Double(part.width) / width,
            height: Double(part.height) / height)
        self.init(image, orientation, of: shown, size: size)
    }

    private init?(
        _ image: ImageView, _ orientation: ImageOrientation, of part: Rectangle,
        size: (width: Int, height: Int)
    ) {
        let (width, height) = size
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
        let region = FrameTransform.crop(part).followed(by: .orientation(orientation))
        do throws(SamplingError) {
            for top in stride(from: 0, to: height, by: Self.rowsAtATime) {
                try copy(image, region, rows: top..<min(top + Self.rowsAtATime, height))
            }
        } catch { return nil }
    }

    deinit { free(memory) }

    /// - Parameter whole: maps the unit square of the copy to that of the image.
    private func copy(_ image: ImageView, _ whole: FrameTransform, rows: Range<Int>) throws(SamplingError) {
        let sampler = try TensorSampler(
            TensorInput(width: view.width, height: rows.count, low: 0, high: 255))
        let values = UnsafeMutableBufferPointer<Float>.allocate(capacity: sampler.input.valueCount)
        defer { values.deallocate() }
        values.initialize(repeating: 0)
        let band = Rectangle(
            x: 0, y: Double(rows.lowerBound) / Double(view.height),
            width: 1, height: Double(rows.count) / Double(view.height))
        try sampler.sample(image, region: FrameTransform.crop(band).followed(by: whole), into: values)
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
