/// Finds how far points of an image have moved in a later one.
///
/// A point moves so that the brightness of the 9x9 pixels around it changes least, as their gradients predict it (Lucas and
/// Kanade, "An iterative image registration technique", IJCAI 1981), first in reduced images. Motion counts as far as it
/// exceeds what noise explains: at rest points stay where they are. `BlockMatcher` serves masks, whose edges lie between
/// points, and has steps of about a tenth of a pixel, which are visible as jitter of points.
package final class PointMotion {
    /// The motion of one point.
    package struct Match: Sendable {
        /// The distance to the right and downwards, in pixels.
        package fileprivate(set) var offset: SIMD2<Float>
        /// Whether the point was found again; otherwise it moves as `CommonMotion` has it.
        package let isFound: Bool
        private(set) var gradients = SecondMoments()
        /// Mean change of brightness, 0...1, that the motion does not explain.
        private(set) var difference: Float = 0
    }

    /// The motion of the points, in their order.
    package private(set) var matches: [Match] = []

    /// Pixels to each side of a point that are compared, as in the blocks of `BlockMatcher`.
    private static let radius = 4
    /// Maximum motion in pixels that is left at each size of the images; gradients predict little more.
    private static let reach: Float = 2
    /// Number of times that a point's motion is corrected; another one changes it by less than a hundredth of a pixel.
    private static let corrections = 4
    /// Maximum mean difference of brightness, 0...1, of a point that is found again: that of `BlockMatcher`.
    private static let largestDifference: Float = 16.0 / 255

    /// Creates an object without matches.
    package init() {}

    /// Finds the motion of `points`, in pixels of `image`, to `next`, an image of the same size.
    ///
    /// - Parameter isSeen: whether `image` shows a point; those that it does not show move along with the others.
    package func find(
        _ points: [SIMD2<Float>], from image: ImagePyramid, to next: ImagePyramid, isSeen: (Int) -> Bool
    ) {
        matches.removeAll(keepingCapacity: true)
        for _ in points { matches.append(Match(offset: .zero, isFound: false)) }
        for level in (0..<ImagePyramid.levels).reversed() {
            let scale = 1 / Float(1 << level)
            for (index, point) in points.enumerated() {
                // The images of the level before have half the size.
                let start = 2 * matches[index].offset
                matches[index] =
                    isSeen(index)
                    ? Self.match(scale * point, start, image.images[level], next.images[level])
                    : Match(offset: start, isFound: false)
            }
            agree(points, scale)
        }
    }

    /// Replaces the motion of points that are lost, and of those that do not certainly move by themselves, by the
    /// common one.
    private func agree(_ points: [SIMD2<Float>], _ scale: Float) {
        let common = CommonMotion(of: points, scale, matches)
        for (index, point) in points.enumerated() {
            let (match, shared) = (matches[index], common.offset(of: scale * point))
            let own = match.isFound ? match.offset - shared : .zero
            matches[index].offset = shared + own * match.gradients.certainty(of: own, match.difference)
        }
    }

    private static func match(
        _ point: SIMD2<Float>, _ start: SIMD2<Float>, _ image: FloatImage, _ next: FloatImage
    ) -> Match {
        let lost = Match(offset: start, isFound: false)
        guard let window = Window(around: point, in: image), next.width == image.width,
            next.height == image.height
        else { return lost }
        let gradients = window.gradients(image)
        var (offset, difference) = (start, Float.infinity)
        for _ in 0..<corrections {
            guard let found = window.change(image, next, offset) else { return lost }
            difference = found.difference
            offset -= gradients.solve(found.pull)
            let step = offset - start
            guard abs(step.x) <= reach, abs(step.y) <= reach else { return lost }
        }
        guard difference <= largestDifference else { return lost }
        return Match(offset: offset, isFound: true, gradients: gradients, difference: difference)
    }
}

// MARK: - Windows

extension PointMotion {
    /// The pixels around a point.
    private struct Window {
        let (left, top): (Int, Int)
        private static let end = 2 * radius

        /// Creates a window; nil where it is not inside of the image.
        init?(around point: SIMD2<Float>, in image: FloatImage) {
            let margin = Float(radius + 1)
            guard point.x >= margin, point.y >= margin, point.x < Float(image.width) - margin,
                point.y < Float(image.height) - margin
            else { return nil }
            (left, top) = (Int(point.x) - radius, Int(point.y) - radius)
        }

        func gradients(_ image: FloatImage) -> SecondMoments {
            var sums = SecondMoments()
            forEachGradient(image) { x, y, _ in sums.add(SIMD2(x, y)) }
            return sums
        }

        /// Returns the products of gradients and changes of brightness, and the mean change; nil where the moved
        /// window is not inside of the image.
        func change(
            _ image: FloatImage, _ next: FloatImage, _ offset: SIMD2<Float>
        ) -> (pull: SIMD2<Float>, difference: Float)? {
            // Also false for what is no number, which no integer can hold.
            guard abs(offset.x) < Float(next.width), abs(offset.y) < Float(next.height) else { return nil }
            let whole = offset.rounded(.down)
            let (x, y) = (left + Int(whole.x), top + Int(whole.y))
            guard x >= 0, y >= 0, x + Self.end + 1 < next.width, y + Self.end + 1 < next.height else {
                return nil
            }
            let (part, shift) = (offset - whole, Int(whole.y) * next.width + Int(whole.x))
            let (base, pitch) = (next.base, next.width)
            var (pull, sum) = (SIMD2<Float>.zero, Float(0))
            forEachGradient(image) { x, y, place in
                let other = base + place + shift
                let upper = other[0] + (other[1] - other[0]) * part.x
                let lower = other[pitch] + (other[pitch + 1] - other[pitch]) * part.x
                let change = upper + (lower - upper) * part.y - image.base[place]
                pull += SIMD2(x, y) * change
                sum += abs(change)
            }
            return (pull, sum / Float((Self.end + 1) * (Self.end + 1)))
        }

        @inline(__always)
        private func forEachGradient(_ image: FloatImage, _ body: (Float, Float, Int) -> Void) {
            let (base, pitch) = (image.base, image.width)
            for y in top...(top + Self.end) {
                for x in left...(left + Self.end) {
                    let place = y &* pitch &+ x
                    let across = base[place &+ 1] - base[place &- 1]
                    let down = base[place &+ pitch] - base[place &- pitch]
                    body(0.5 * across, 0.5 * down, place)
                }
            }
        }
    }
}
