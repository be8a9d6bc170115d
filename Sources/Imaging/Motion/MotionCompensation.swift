import CKernels

/// Moves an image along a field of motion, which is interpolated between its points.
package final class MotionCompensation {
    private let across = LinearResizer()
    private let down = LinearResizer()

    /// A compensation without memory yet.
    package init() {}

    /// Puts `image`, which covers the earlier picture at any size, into `moved` as it is in the later one.
    package func apply(_ motion: MotionField, to image: FloatImage, into moved: FloatImage) {
        guard motion.across.count > 0, image.count > 0 else { return }
        let (width, height) = (image.width, image.height)
        moved.resize(width: width, height: height)
        across.begin(motion.across, width: width, height: height)
        down.begin(motion.down, width: width, height: height)
        let acrossUnit = Float(width) / Float(motion.width)
        let downUnit = Float(height) / Float(motion.height)
        for y in 0..<height {
            kernel_warp_row(
                image.base, width, height, y, across.row(y, of: motion.across), down.row(y, of: motion.down),
                acrossUnit, downUnit, moved.row(y))
        }
    }
}
