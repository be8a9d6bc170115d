/// The motion of several pictures in a row, as one field.
///
/// An image that is moved once along the path stays sharp; one that was moved picture by picture is interpolated each
/// time.
package final class MotionPath {
    /// From the picture at which the path begins to the last one.
    package let field = MotionField()

    private let step = MotionCompensation()
    private let moved = FloatImage()

    /// A path without a beginning.
    package init() {}

    /// Begins at the picture that `motion` ends with.
    package func begin(after motion: MotionField) { field.rest(like: motion) }

    /// Goes on to the next picture.
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

    /// Adds the last motion to the path, sampled where each point was one picture ago.
    private func add(_ motion: MotionField, _ plane: FloatImage, _ last: FloatImage) {
        step.apply(motion, to: plane, into: moved)
        let (values, earlier, last) = (plane.base, moved.base, last.base)
        for i in 0..<plane.count { values[i] = earlier[i] + last[i] }
    }
}
