import Glibc

/// The brightness of a frame and of the people in it.
package struct LightReading: Sendable, Equatable {
    /// Mean luma of the frame, from black (0) to white (1).
    package var frame: Float
    /// Mean luma of the people.
    package var people: Float
    /// The luma that a tenth of the people exceeds: of a face, the side to the light.
    package var brightest: Float

    package init(frame: Float, people: Float, brightest: Float) {
        (self.frame, self.people, self.brightest) = (frame, people, brightest)
    }
}

/// Measures the brightness of frames and of the people in them, at a few hundred points.
package struct LightMeter {
    /// Number of points, across and down.
    private static let grid = (x: 48, y: 27)
    /// The fewest points on people that tell their brightness.
    private static let fewest = 12
    /// Number of steps from black to white in which people's points are counted.
    private static let steps = 64
    /// Share of the people that may be brighter than `brightest`.
    private static let share = 0.1

    private var mask: [Float] = []
    private var counts = [Int](repeating: 0, count: steps)

    package init() {}

    /// Measures a frame.
    ///
    /// - Parameter mask: shows the people; covers the whole frame, at any size.
    /// - Returns: nil if hardly anybody is seen, and for transfer functions other than that of standard range.
    package mutating func measure(_ image: ImageView, _ mask: MaskView) -> LightReading? {
        guard image.colorimetry.transfer == .sdr else { return nil }
        if self.mask.count < mask.width { self.mask = [Float](repeating: 0, count: mask.width) }
        for step in counts.indices { counts[step] = 0 }
        return image.format.layout.bytesPerSample == 1
            ? measure(image, mask, LumaPoints<UInt8>(image)) : measure(image, mask, LumaPoints<UInt16>(image))
    }

    private mutating func measure<Sample: PixelSample>(
        _ image: ImageView, _ mask: MaskView, _ points: LumaPoints<Sample>
    ) -> LightReading? {
        var (sum, people, count) = (Float(0), Float(0), 0)
        for row in 0..<Self.grid.y {
            let y = Self.place(row, of: Self.grid.y, in: image.height)
            readMask(mask, Self.place(row, of: Self.grid.y, in: mask.height))
            for column in 0..<Self.grid.x {
                let luma = points.luma(Self.place(column, of: Self.grid.x, in: image.width), y)
                sum += luma
                // A value that is no number is none of a person.
                guard self.mask[Self.place(column, of: Self.grid.x, in: mask.width)] > 0.5 else { continue }
                people += luma
                count += 1
                counts[min(Int(luma * Float(Self.steps)), Self.steps - 1)] += 1
            }
        }
        guard count >= Self.fewest else { return nil }
        return LightReading(
            frame: sum / Float(Self.grid.x * Self.grid.y), people: people / Float(count),
            brightest: brightest(of: count))
    }

    private mutating func readMask(_ mask: MaskView, _ row: Int) {
        self.mask.withUnsafeMutableBufferPointer { values in
            if let base = values.baseAddress { mask.readRow(row, into: base) }
        }
    }

    /// Returns the upper end of the step that the brightest tenth of the people begins in.
    private func brightest(of count: Int) -> Float {
        var above = Double(count) * Self.share
        var step = Self.steps - 1
        while step > 0, above >= Double(counts[step]) {
            above -= Double(counts[step])
            step -= 1
        }
        return Float(step + 1) / Float(Self.steps)
    }

    /// Returns the pixel in the middle of a part of a side.
    private static func place(_ part: Int, of parts: Int, in side: Int) -> Int {
        min((2 * part + 1) * side / (2 * parts), side - 1)
    }
}

/// The luma of single pixels of an image.
private struct LumaPoints<Sample: PixelSample> {
    private let image: ImageView
    private let (shift, components): (Int, Int)
    private let (black, weights): (SIMD3<Float>, SIMD3<Float>)

    init(_ image: ImageView) {
        self.image = image
        let layout = image.format.layout
        shift = layout.shift
        let isColored = layout.model == .rgb
        components = isColored ? 3 : 1
        let levels = CodeLevels(layout, image.colorimetry)
        black = levels.black
        weights = (isColored ? image.colorimetry.matrix.lumaWeights : SIMD3(1, 0, 0)) / levels.swing
    }

    /// Returns the luma of a pixel inside the image, from 0 to 1.
    func luma(_ x: Int, _ y: Int) -> Float {
        var sum: Float = 0
        for index in 0..<components {
            let part = image.format.layout.component(index)
            let row: UnsafePointer<Sample> = image.plane(part.plane).samples(y)
            sum += ((row[part.first + x * part.step] >> shift).float - black[index]) * weights[index]
        }
        return min(max(sum, 0), 1)
    }
}
