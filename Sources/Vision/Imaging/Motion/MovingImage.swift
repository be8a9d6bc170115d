/// An image of one frame that moves along with the frames that follow.
///
/// The image moves once along its whole path, so that errors of interpolation do not add up.
package final class MovingImage {
    /// The time of the image's own frame, in nanoseconds of the stream, if known.
    package private(set) var time: UInt64?
    /// Number of frames since the image's own.
    package private(set) var age = 0
    /// The image as it was in its own frame.
    package private(set) var image = FloatImage()

    private var moved = FloatImage()
    private let path = MotionPath()
    private let compensation = MotionCompensation()
    /// The inexactness of the motion of edges by distance: from half a pixel on partly, from one and a half
    /// on fully.
    ///
    /// In pixels of the images that the motion was found in.
    private static let inexactness = LinearStep(from: 0.5, to: 1.5)
    /// The difference of values at an edge that is displaced by a part of its usual width.
    private let maximumInexactness: Float
    private let doubt = FloatImage()
    private let doubtRows = LinearResizer()
    private let otherRows = LinearResizer()

    /// Creates an image without a frame.
    ///
    /// - Parameter maximumInexactness: maximum difference of a moved value from the frame's own because the
    ///   motion is inexact; 0.4 is a third of the usual width of an edge.
    package init(maximumInexactness: Float = 0.4) { self.maximumInexactness = maximumInexactness }

    /// Begins at the last frame of `motion`; `image` may be filled later.
    package func begin(after motion: MotionField, time: UInt64? = nil) {
        (self.time, age) = (time, 0)
        path.begin(after: motion)
    }

    /// Begins at the last frame, whose own the image is from now on.
    package func begin() {
        (time, age) = (nil, 0)
        path.restart()
    }

    /// Begins at the last frame with the image as it has moved.
    package func settle() {
        guard age > 0, path.field.width > 0 else { return }
        write(into: moved)
        swap(&image, &moved)
        begin()
    }

    /// Moves on to the next frame.
    package func follow(_ motion: MotionField) {
        path.add(motion)
        age &+= 1
    }

    /// Returns the share of the points along `matcher`'s edges that were lost since the image's own frame.
    ///
    /// - Parameter distance: the distance in pixels beyond which points are lost, too. Only without such a limit a point
    ///   can be lost in part.
    package func lostShare(along matcher: BlockMatcher, beyond distance: Float = .infinity) -> Double {
        let since =
            distance < .infinity
            ? matcher.shareAlongEdges { self.path.field.isLost($0, beyond: distance) }
            : matcher.meanAlongEdges(path.field.lost)
        return max(matcher.lostShare, since)
    }

    /// Writes the image, moved to the last frame.
    package func write(into result: FloatImage) { compensation.apply(path.field, to: image, into: result) }

    /// Writes the image, moved to the last frame, as far as errors of the motion do not explain its
    /// difference from `other`.
    ///
    /// The values of `other` stay where the motion was lost.
    ///
    /// - Parameter other: the last frame's own image, of this image's size.
    package func write(into result: FloatImage, besides other: FloatImage) {
        write(into: result)
        estimateDoubt()
        doubtRows.begin(doubt, width: result.width, height: result.height)
        for y in 0..<result.height {
            let (row, own, doubt) = (result.row(y), other.row(y), doubtRows.row(y, of: doubt))
            for x in 0..<result.width {
                let change = row[x] - own[x]
                row[x] = own[x] + max(0, abs(change) - doubt[x]) * (change < 0 ? -1 : 1)
            }
        }
    }

    /// Writes the image, moved to the last frame, and `other`, of any size, where the motion was lost.
    package func write(into result: FloatImage, orWhereLost other: FloatImage) {
        write(into: result)
        let lost = path.field.lost
        doubt.resize(width: lost.width, height: lost.height)
        for i in 0..<doubt.count { doubt.base[i] = Self.lostness(lost.base[i]) }
        doubtRows.begin(doubt, width: result.width, height: result.height)
        otherRows.begin(other, width: result.width, height: result.height)
        for y in 0..<result.height {
            let (row, own, doubt) = (result.row(y), otherRows.row(y, of: other), doubtRows.row(y, of: doubt))
            for x in 0..<result.width { row[x] += doubt[x] * (own[x] - row[x]) }
        }
    }

    /// Returns the degree to which a point counts as lost, 0...1, from the interpolated share that was lost.
    private static func lostness(_ share: Float) -> Float { min(2 * share, 1) }

    /// Estimates the differences of values that the inexact motion explains.
    private func estimateDoubt() {
        let (field, lost) = (path.field, path.field.lost)
        doubt.resize(width: lost.width, height: lost.height)
        let (across, down) = (field.across.base, field.down.base)
        for i in 0..<doubt.count {
            let distance = (across[i] * across[i] + down[i] * down[i]).squareRoot()
            let inexact = Self.inexactness.value(distance) * maximumInexactness
            doubt.base[i] = max(inexact, Self.lostness(lost.base[i]))
        }
    }
}
