/// A picture at two sizes, the smaller half as wide and high: brightness at both, colour at the smaller.
///
/// One look at the frame then serves a model and the refinement of its mask.
package final class LumaPyramid {
    /// Brightness 0...1 at the full size.
    package let fine = MaskGrid()
    /// Brightness 0...1 at half the size.
    package let coarse = MaskGrid()

    /// A pyramid without picture.
    package init() {}

    /// Takes in a picture.
    ///
    /// - Parameters:
    ///   - picture: 2 `width` x 2 `height` pixels, R, G, B side by side, 0...1.
    ///   - half: room for the picture at `width` x `height`, in the same form.
    package func update(
        _ picture: UnsafePointer<Float>, width: Int, height: Int, half: UnsafeMutablePointer<Float>
    ) {
        fine.resize(width: 2 * width, height: 2 * height)
        coarse.resize(width: width, height: height)
        for y in 0..<height {
            let upper = picture + 12 * width * y
            let lower = upper + 6 * width
            let target = half + 3 * width * y
            Self.halve(upper, lower, into: target, count: width)
            Self.brightness(upper, into: fine.row(2 * y), count: 2 * width)
            Self.brightness(lower, into: fine.row(2 * y + 1), count: 2 * width)
            Self.brightness(target, into: coarse.row(y), count: width)
        }
    }

    private static func halve(
        _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, into row: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        for x in 0..<count {
            for channel in 0..<3 {
                let at = 6 &* x &+ channel
                row[3 &* x &+ channel] = (upper[at] + upper[at &+ 3] + lower[at] + lower[at &+ 3]) * 0.25
            }
        }
    }

    /// The luma of ITU-R BT.601: any sensible mix would do.
    private static func brightness(
        _ pixels: UnsafePointer<Float>, into row: UnsafeMutablePointer<Float>, count: Int
    ) {
        for x in 0..<count {
            row[x] = 0.299 * pixels[3 &* x] + 0.587 * pixels[3 &* x &+ 1] + 0.114 * pixels[3 &* x &+ 2]
        }
    }
}
