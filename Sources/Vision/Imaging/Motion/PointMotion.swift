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

/// An image at its own size, at half of it and at a quarter.
package struct ImagePyramid {
    static let levels = 3
    /// The image at its own size first.
    let images = (0..<levels).map { _ in FloatImage() }

    /// Creates an empty pyramid.
    package init() {}

    /// Takes an image.
    package func fill(_ image: FloatImage) {
        images[0].copy(image)
        for level in 1..<Self.levels { images[level].copy(halfOf: images[level - 1]) }
    }
}

/// The sums of squares and products of vectors: of gradients, which say how exactly motion is known, or of places.
struct SecondMoments {
    private var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)

    /// Sum of squared gradients, of brightness 0...1 by pixel, below which there is no texture.
    private static let smallest: Float = 1e-4
    /// Multiple of the motion that noise explains from which on motion counts.
    ///
    /// At rest few windows exceed it by chance. With any motion counted, the joints of still people jitter twice as
    /// much (docs/experiments/2026-11-27-moved-landmarks.md).
    private static let significance: Float = 3
    /// Minimum noise of brightness, 0...1: half of a step of 255.
    private static let smallestNoise: Float = 0.5 / 255

    /// The sum of squared lengths.
    var size: Float { xx + yy }

    /// The spread in all directions: 0 where the vectors lie on a line, and 1 where no direction is preferred.
    var roundness: Float { size > 0 ? 4 * (xx * yy - xy * xy) / (size * size) : 0 }

    mutating func add(_ vector: SIMD2<Float>) {
        xx += vector.x * vector.x
        xy += vector.x * vector.y
        yy += vector.y * vector.y
    }

    /// Adds those of gradients under a motion of two parts: `first` for a unit of the one, `second` for one of the other.
    mutating func add(_ other: Self, by first: SIMD2<Float>, _ second: SIMD2<Float>, weight: Float) {
        let (one, two) = (other.times(first), other.times(second))
        xx += weight * (first * one).sum()
        xy += weight * (second * one).sum()
        yy += weight * (second * two).sum()
    }

    /// Returns the sums' product with a motion.
    func times(_ motion: SIMD2<Float>) -> SIMD2<Float> {
        SIMD2(xx * motion.x + xy * motion.y, xy * motion.x + yy * motion.y)
    }

    /// Returns the motion whose product with the sums is `pull`; a short one where there is no texture.
    func solve(_ pull: SIMD2<Float>) -> SIMD2<Float> {
        let (xx, yy) = (xx + Self.smallest, yy + Self.smallest)
        let determinant = xx * yy - xy * xy
        guard determinant > 0 else { return .zero }
        return SIMD2(yy * pull.x - xy * pull.y, xx * pull.y - xy * pull.x) / determinant
    }

    /// Returns the degree, 0...1, to which a motion exceeds what noise explains.
    ///
    /// - Parameter difference: mean change of brightness, 0...1, that the motion does not explain.
    func certainty(of motion: SIMD2<Float>, _ difference: Float) -> Float {
        let change = (motion * times(motion)).sum()
        let noise = Self.significance * max(difference, Self.smallestNoise)
        let excess = change - noise * noise
        return excess > 0 ? excess / (excess + noise * noise) : 0
    }
}

/// The similarity by which most points of a thing move: a shift, a turn and a change of size.
///
/// It fits the motion of the points that are found again, each as exactly as the gradients around it allow, by least squares.
/// Points that move otherwise, as an arm does that waves, count less. Shift, and turn with size, count as far as they exceed
/// what noise explains.
struct CommonMotion {
    private let middle: SIMD2<Float>
    private var shift = SIMD2<Float>.zero
    /// The growth and the turn, in pixels for each pixel of distance from the middle.
    private var turn = SIMD2<Float>.zero
    /// Distance from the middle in pixels up to which places turn; those beyond move as far as places there.
    private var reach = Float.infinity

    /// Distance in pixels from the common motion at which a point counts half: about twice the error of a point's motion.
    private static let tolerance: Float = 0.5
    /// Number of fits; the first one has no weights yet.
    private static let passes = 4
    /// Reach of the turn, as a multiple of the mean distance (root of the mean square) of points that are found.
    ///
    /// Without a limit few points on one side turn hidden legs too much; with a shift alone these lag
    /// (docs/experiments/2026-11-27-moved-landmarks.md).
    private static let outside: Float = 2
    /// Minimum roundness of the points that are found: five times as long as wide; points on a line tell no turn.
    private static let roundness: Float = 0.15

    /// Creates the motion that `matches` have in common.
    ///
    /// - Parameters:
    ///   - points: their places.
    ///   - scale: the factor from places to pixels.
    init(of points: [SIMD2<Float>], _ scale: Float, _ matches: [PointMotion.Match]) {
        middle = Self.middle(of: points, scale, matches)
        var (shifts, turns) = (Fit(), Fit())
        for pass in 0..<Self.passes {
            shifts = fit(points, scale, matches, weighted: pass > 0) { _ in (SIMD2(1, 0), SIMD2(0, 1)) }
            shift += shifts.gradients.solve(shifts.pull)
            turns = fit(points, scale, matches, weighted: pass > 0) { ($0, SIMD2(-$0.y, $0.x)) }
            turn += turns.gradients.solve(turns.pull)
        }
        var (spread, difference, count) = (SecondMoments(), Float(0), Float(0))
        for (point, match) in zip(points, matches) where match.isFound {
            spread.add(scale * point - middle)
            difference += match.difference
            count += 1
        }
        difference /= max(1, count)
        shift *= shifts.gradients.certainty(of: shift, difference)
        turn *= turns.gradients.certainty(of: turn, difference)
        let isRound = spread.roundness >= Self.roundness
        reach = isRound ? Self.outside * (spread.size / count).squareRoot() : 0
    }

    /// Returns the motion of a place, in pixels.
    func offset(of place: SIMD2<Float>) -> SIMD2<Float> {
        var arm = place - middle
        let length = (arm * arm).sum().squareRoot()
        if length > reach { arm *= reach / length }
        return shift + turn.x * arm + turn.y * SIMD2(-arm.y, arm.x)
    }

    /// Returns the middle of the gradients, about which shift and turn hardly depend on each other.
    private static func middle(
        of points: [SIMD2<Float>], _ scale: Float, _ matches: [PointMotion.Match]
    ) -> SIMD2<Float> {
        var (sum, size) = (SIMD2<Float>.zero, Float(0))
        for (point, match) in zip(points, matches) where match.isFound {
            sum += match.gradients.size * scale * point
            size += match.gradients.size
        }
        return size > 0 ? sum / size : .zero
    }

    /// The gradients by two parts of the motion, and the pull of the points on them.
    private struct Fit {
        var gradients = SecondMoments()
        var pull = SIMD2<Float>.zero
    }

    /// Returns the fit of two parts of the motion to what the present motion leaves.
    ///
    /// - Parameter parts: the motion of a place, by its distance from the middle, for a unit of each part.
    private func fit(
        _ points: [SIMD2<Float>], _ scale: Float, _ matches: [PointMotion.Match], weighted: Bool,
        parts: (SIMD2<Float>) -> (SIMD2<Float>, SIMD2<Float>)
    ) -> Fit {
        var fit = Fit()
        for (point, match) in zip(points, matches) where match.isFound {
            let (first, second) = parts(scale * point - middle)
            let rest = match.offset - offset(of: scale * point)
            let weight = weighted ? 1 / (1 + (rest * rest).sum() / (Self.tolerance * Self.tolerance)) : 1
            let pull = weight * match.gradients.times(rest)
            fit.gradients.add(match.gradients, by: first, second, weight: weight)
            fit.pull += SIMD2((pull * first).sum(), (pull * second).sum())
        }
        return fit
    }
}
