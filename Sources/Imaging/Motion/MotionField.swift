import CKernels

/// Where the points of a grid over an image were in an earlier one.
package final class MotionField {
    /// Pixels of the image to the right of where the points are.
    package let across = FloatImage()
    /// Pixels below where the points are.
    package let down = FloatImage()
    /// 1 for points that were not found again, else 0; between both where it was interpolated.
    package let lost = FloatImage()
    /// Width of the image, in pixels.
    package private(set) var width = 0
    /// Height of the image, in pixels.
    package private(set) var height = 0

    /// A field of no points.
    package init() {}

    /// Makes room for `columns` x `rows` points over an image of `width` x `height` pixels; all of them stay.
    package func rest(columns: Int, rows: Int, width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        for plane in [across, down, lost] {
            plane.resize(width: columns, height: rows)
            plane.fill(0)
        }
    }

    /// Whether a point was rather lost than found, or has moved farther than `distance`, in pixels.
    package func isLost(_ index: Int, beyond distance: Float) -> Bool {
        let (x, y) = (across.base[index], down.base[index])
        return lost.base[index] > 0.5 || x * x + y * y > distance * distance
    }

    /// Makes room for the points of `other`, all of which stay.
    package func rest(like other: MotionField) {
        rest(
            columns: other.across.width, rows: other.across.height, width: other.width, height: other.height)
    }
}

/// Moves an image along a field of motion, which is interpolated between its points.
package final class MotionCompensation {
    private let across = LinearResizer()
    private let down = LinearResizer()

    /// A compensation without memory yet.
    package init() {}

    /// Puts `image`, which covers the earlier image at any size, into `moved` as it is in the later one.
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

/// The motion of several images in a row, as one field.
///
/// An image that is moved once along the path stays sharp; one that was moved image by image is interpolated each
/// time.
package final class MotionPath {
    /// From the image at which the path begins to the last one.
    package let field = MotionField()

    private let step = MotionCompensation()
    private let moved = FloatImage()

    /// A path without a beginning.
    package init() {}

    /// Begins at the image that `motion` ends with.
    package func begin(after motion: MotionField) { field.rest(like: motion) }

    /// Goes on to the next image.
    package func add(_ motion: MotionField) {
        guard motion.across.width == field.across.width, motion.across.height == field.across.height else {
            return begin(after: motion)
        }
        add(motion, field.across, motion.across)
        add(motion, field.down, motion.down)
        // A point that was lost stays lost: what is found later in its place may be something else.
        step.apply(motion, to: field.lost, into: moved)
        let (values, earlier, last) = (field.lost.base, moved.base, motion.lost.base)
        for i in 0..<field.lost.count { values[i] = max(earlier[i], last[i]) }
    }

    /// Adds the last motion to the path, sampled where each point was one image ago.
    private func add(_ motion: MotionField, _ plane: FloatImage, _ last: FloatImage) {
        step.apply(motion, to: plane, into: moved)
        let (values, earlier, last) = (plane.base, moved.base, last.base)
        for i in 0..<plane.count { values[i] = earlier[i] + last[i] }
    }
}
