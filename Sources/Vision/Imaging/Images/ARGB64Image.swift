/// An image of whole pixels, four samples of 16 bits each: alpha, red, green, blue.
///
/// Pixels that share no samples can be rotated, repeated and blended independently, unlike those of
/// subsampled formats.
package struct ARGB64Image {
    /// Alpha, red, green, blue; full scale is 65535.
    package typealias Pixel = SIMD4<UInt16>

    /// Number of pixels in a row.
    package let width: Int
    /// Number of rows.
    package let height: Int
    private let pixels: UnsafeMutablePointer<Pixel>

    /// Borrows memory without padding; nil when it is too small.
    package init?(_ memory: UnsafeMutableRawBufferPointer, width: Int, height: Int) {
        let side = 1...ImageView.maximumSide
        guard let base = memory.baseAddress, side.contains(width), side.contains(height),
            memory.count / MemoryLayout<Pixel>.stride / width >= height,
            UInt(bitPattern: base) % UInt(MemoryLayout<Pixel>.alignment) == 0
        else { return nil }
        (self.width, self.height) = (width, height)
        pixels = base.assumingMemoryBound(to: Pixel.self)
    }

    /// Returns row `y`, which must be one of the image's.
    func row(_ y: Int) -> UnsafeMutablePointer<Pixel> { pixels + y &* width }

    /// Fills the image with one colour.
    ///
    /// - Parameter color: 0xAARRGGBB; its alpha is ignored.
    package func fill(_ color: UInt32) {
        pixels.update(repeating: Self.pixel(color), count: width * height)
    }

    /// Blends transparent pixels with a colour beneath.
    package func flatten(on color: UInt32) {
        let below = SIMD4<Float>(Self.pixel(color))
        for index in 0..<width * height where pixels[index].x != .max {
            let share = Float(pixels[index].x) / 65535
            let blended = below + (SIMD4<Float>(pixels[index]) - below) * share
            pixels[index] = Pixel(blended, rounding: .toNearestOrEven)
            pixels[index].x = .max
        }
    }

    /// Draws `image` upright with its upper left corner at `x`, `y`; parts that do not fit are left out.
    package func draw(_ image: ARGB64Image, orientation: ImageOrientation, x: Int, y: Int) {
        let size = orientation.swapsAxes ? (image.height, image.width) : (image.width, image.height)
        guard x >= 0, y >= 0 else { return }
        let (columns, rows) = (min(size.0, width - x), min(size.1, height - y))
        guard columns > 0, rows > 0 else { return }
        let walk = StoredWalk(orientation, width: image.width, height: image.height)
        for row in 0..<rows {
            var source = image.pixels + walk.start + row * walk.perRow
            let target = self.row(y + row) + x
            for column in 0..<columns {
                target[column] = source.pointee
                // The step after the last pixel may leave the image.
                if column + 1 < columns { source += walk.perColumn }
            }
        }
    }

    /// Repeats the upper left `width` x `height` pixels over the whole image.
    package func repeatTile(width tileWidth: Int, height tileHeight: Int) {
        guard tileWidth > 0, tileHeight > 0 else { return }
        for y in 0..<min(tileHeight, height) {
            let row = row(y)
            for x in stride(from: tileWidth, to: width, by: 1) { row[x] = row[x - tileWidth] }
        }
        for y in stride(from: tileHeight, to: height, by: 1) {
            row(y).update(from: row(y - tileHeight), count: width)
        }
    }

    private static func pixel(_ color: UInt32) -> Pixel {
        let parts = SIMD4<UInt32>(255, color >> 16 & 255, color >> 8 & 255, color & 255)
        // 0xff becomes 0xffff.
        return Pixel(truncatingIfNeeded: parts &* 257)
    }
}

/// The places of stored pixels in the order of the upright image.
private struct StoredWalk {
    /// Index of the upright image's first pixel.
    let start: Int
    /// Difference of the index to the pixel on the right.
    let perColumn: Int
    /// Difference of the index to the pixel below.
    let perRow: Int

    init(_ orientation: ImageOrientation, width: Int, height: Int) {
        let (right, bottom) = (width - 1, (height - 1) * width)
        (start, perColumn, perRow) =
            switch orientation {
            case .up: (0, 1, width)
            case .upMirrored: (right, -1, width)
            case .down: (bottom + right, -1, -width)
            case .downMirrored: (bottom, 1, -width)
            case .leftMirrored: (0, width, 1)
            case .right: (bottom, -width, 1)
            case .rightMirrored: (bottom + right, -width, -1)
            case .left: (right, width, -1)
            }
    }
}
