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
