import CKernels

/// The motion of the points of a grid over an image since an earlier image.
package final class MotionField {
    /// Distance in pixels from a point to the right, to its earlier place.
    package let across = FloatImage()
    /// Distance in pixels from a point downwards, to its earlier place.
    package let down = FloatImage()
    /// 1 for points that were not found again, else 0; between both in interpolated fields.
    package let lost = FloatImage()
    /// Width of the image, in pixels.
    package private(set) var width = 0
    /// Height of the image, in pixels.
    package private(set) var height = 0

    /// Creates a field without points.
    package init() {}

    /// Resizes the field to `columns` x `rows` points over an image of `width` x `height` pixels, without
    /// motion.
    package func rest(columns: Int, rows: Int, width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        for plane in [across, down, lost] {
            plane.resize(width: columns, height: rows)
            plane.fill(0)
        }
    }

    /// Whether a point is more lost than found, or has moved farther than `distance`, in pixels.
    package func isLost(_ index: Int, beyond distance: Float) -> Bool {
        let (x, y) = (across.base[index], down.base[index])
        return lost.base[index] > 0.5 || x * x + y * y > distance * distance
    }

    /// Resizes the field to the points of `other`, without motion.
    package func rest(like other: MotionField) {
        rest(
            columns: other.across.width, rows: other.across.height, width: other.width, height: other.height)
    }
}

/// Moves an image along a field of motion, which is interpolated between its points.
package final class MotionCompensation {
    private let across = LinearResizer()
    private let down = LinearResizer()

    /// Creates a compensation without memory.
    package init() {}

    /// Writes `image`, which covers the earlier image at any size, into `moved`, moved to the later image.
    package func apply(_ motion: MotionField, to image: FloatImage, into moved: FloatImage) {
        guard motion.width > 0, image.count > 0 else { return }
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

/// The motion over several images in a row, as one field.
///
/// An image that is moved once along the path stays sharp; an image moved step by step is interpolated each
/// time.
package final class MotionPath {
    /// The motion from the image at which the path begins to the last one.
    package let field = MotionField()

    private let step = MotionCompensation()
    private let moved = FloatImage()

    /// Creates a path without a beginning.
    package init() {}

    /// Begins at the last image of `motion`.
    package func begin(after motion: MotionField) { field.rest(like: motion) }

    /// Begins anew at the last image of the path.
    package func restart() { field.rest(like: field) }

    /// Adds the motion to the next image.
    package func add(_ motion: MotionField) {
        guard motion.across.width == field.across.width, motion.across.height == field.across.height else {
            return begin(after: motion)
        }
        add(motion, field.across, motion.across)
        add(motion, field.down, motion.down)
        // A point that was lost stays lost: something else may be found later in its place.
        step.apply(motion, to: field.lost, into: moved)
        let (values, earlier, last) = (field.lost.base, moved.base, motion.lost.base)
        for i in 0..<field.lost.count { values[i] = max(earlier[i], last[i]) }
    }

    /// Adds the last motion to the path, sampled at each point's place one image ago.
    private func add(_ motion: MotionField, _ plane: FloatImage, _ last: FloatImage) {
        step.apply(motion, to: plane, into: moved)
        let (values, earlier, last) = (plane.base, moved.base, last.base)
        for i in 0..<plane.count { values[i] = earlier[i] + last[i] }
    }
}
