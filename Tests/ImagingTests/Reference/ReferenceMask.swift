import Imaging
import TestSupport

/// The definition of a mask's value at each sample of a frame.
struct ReferenceMask {
    let values: [[Float]]
    let frame: ImageView

    init(_ mask: TestMask, frame: ImageView) {
        values = mask.values
        self.frame = frame
    }

    /// Returns the mask's value from 0 to 1 at a sample of a plane's row.
    func value(plane: Int, row: Int, index: Int) -> Double {
        let layout = frame.format.layout
        let site = frame.colorimetry.chromaSite
        let byte = index * layout.bytesPerSample
        // Alpha, and padding inside a pixel, are at the position of their pixel.
        var position = (x: Double(byte / layout.components.0.pixelStride) + 0.5, y: Double(row) + 0.5)
        for index in 0..<layout.colorCount {
            let part = layout.component(index)
            guard part.plane == plane, byte % part.pixelStride == part.offset % part.pixelStride else {
                continue
            }
            let sample = (byte - part.offset) / part.pixelStride
            position = (
                pixel(sample, shift: part.widthShift, cosited: site.cositedHorizontally),
                pixel(row, shift: part.heightShift, cosited: site.cositedVertically)
            )
        }
        return interpolated(x: position.x / Double(frame.width), y: position.y / Double(frame.height))
    }

    private func pixel(_ sample: Int, shift: Int, cosited: Bool) -> Double {
        Double(sample << shift) + (cosited ? 0.5 : Double(1 << shift) / 2)
    }

    private func interpolated(x: Double, y: Double) -> Double {
        let (width, height) = (values[0].count, values.count)
        let column = min(max(x * Double(width) - 0.5, 0), Double(width - 1))
        let row = min(max(y * Double(height) - 0.5, 0), Double(height - 1))
        let (left, top) = (Int(column), Int(row))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (fx, fy) = (column - Double(left), row - Double(top))
        let upper = Double(values[top][left]) * (1 - fx) + Double(values[top][right]) * fx
        let lower = Double(values[bottom][left]) * (1 - fx) + Double(values[bottom][right]) * fx
        return upper * (1 - fy) + lower * fy
    }
}

extension TestMask {
    /// Returns a mask with certain areas, soft edges and single values between.
    static func blobs(_ format: MaskFormat, _ width: Int, _ height: Int, seed: UInt64 = 9) -> TestMask {
        var generator = SeededGenerator(seed: seed)
        let mask = TestMask(format, width, height)
        let (cx, cy) = (generator.number(0.2...0.8), generator.number(0.2...0.8))
        let noise = (0..<(width * height)).map { _ in generator.number(0...1) }
        mask.fill { x, y in
            let dx = (Double(x) + 0.5) / Double(width) - cx
            let dy = (Double(y) + 0.5) / Double(height) - cy
            let soft = min(max((0.3 - (dx * dx + dy * dy).squareRoot()) * 8 + 0.5, 0), 1)
            let dot = noise[y * width + x]
            return Float(dot < 0.03 ? 1 - soft : soft)
        }
        return mask
    }

    /// Sizes below, at and above those of the frames.
    static let sizes = [(1, 1), (2, 3), (16, 9), (64, 48), (100, 70)]
}
