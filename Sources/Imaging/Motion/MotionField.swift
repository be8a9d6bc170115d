/// Where the points of a grid over a picture were in an earlier one.
package final class MotionField {
    /// Pixels of the picture to the right of where the points are.
    package let across = FloatImage()
    /// The same downwards.
    package let down = FloatImage()
    /// 1 for points that were not found again, else 0; between both where it was interpolated.
    package let lost = FloatImage()
    /// Of the picture, in pixels.
    package private(set) var width = 0
    /// Of the picture, in pixels.
    package private(set) var height = 0

    /// A field of no points.
    package init() {}

    /// Makes room for `columns` x `rows` points over a picture of `width` x `height` pixels; all of them stay.
    package func rest(columns: Int, rows: Int, width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        for plane in [across, down, lost] {
            plane.resize(width: columns, height: rows)
            plane.fill(0)
        }
    }

    /// The same points as those of `other`, all of which stay.
    package func rest(like other: MotionField) {
        rest(
            columns: other.across.width, rows: other.across.height, width: other.width, height: other.height)
    }
}
