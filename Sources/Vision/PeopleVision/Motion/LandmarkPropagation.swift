import Glibc
import Imaging

/// Moves the points of followed things along with a camera's image, so that the landmark model of things that move slowly
/// runs in every second frame only.
///
/// Points move as the image around them has since the frame before, in which they were measured. That takes a twentieth of
/// the time of a body's model. Of several things half are measured in a frame. The points of recordings, which can wait, are
/// measured in every frame: gestures change more than motion of the image explains. Hands are often too small, or too fast,
/// so that only bodies move.
package final class LandmarkPropagation {
    private let brightness = FrameBrightness()
    private let next = ImagePyramid()
    private let motion = PointMotion()
    /// Number of things that may still move in this frame.
    private var allowance = 0
    /// Whether the stream's points move at all.
    private var isLive = false

    /// Side of a thing's image in pixels: smaller ones show arms worse, larger ones take longer.
    private static let side = 128
    /// Side of a thing's image, as a share of the longer side of the box around its points: blocks around the outer
    /// ones are inside.
    private static let scale = 1.25
    /// Minimum side of a thing's image in pixels of the frame: noise that is enlarged passes for motion.
    private static let smallest = Double(side)
    /// Minimum number of points that are seen.
    private static let fewest = 6
    /// Minimum presence of a thing, 0...1, that may move; doubtful ones are measured in every frame.
    private static let certain = 0.9
    /// Maximum seconds between two frames: in a longer time a thing may change.
    private static let longest = 0.25
    /// Maximum distance by which a point may move, in pixels of the thing's image.
    ///
    /// On the packaged clip points that move by less are as far from measured ones as those of two measurements are.
    private static let distance: Float = 4
    /// Maximum share of the points that are seen that may be lost, or move farther.
    private static let lost = 0.2

    /// Creates an object that has no frame yet.
    package init() {}

    /// Begins a frame in which `count` things are followed: at most half of them move, so that no frame pays for all.
    package func begin(count: Int, _ mode: AnalysisMode) {
        isLive = mode == .camera
        allowance = isLive ? (count + 1) / 2 : 0
    }

    /// Finds the motion of a thing's points from the frame before.
    ///
    /// - Parameter seconds: time since the frame before.
    /// - Returns: false where the points are to be measured.
    package func moves(
        _ origin: LandmarkOrigin, in frame: UprightFrame, seconds: Double
    ) throws(VisionError) -> Bool {
        guard allowance > 0, origin.isUsable, seconds <= Self.longest else { return false }
        try sample(origin.square, frame)
        next.fill(brightness.values)
        motion.find(origin.places, from: origin.image, to: next) { origin.isSeen[$0] }
        guard areFound(origin.isSeen) else { return false }
        origin.move(motion.matches)
        allowance -= 1
        return true
    }

    /// Whether the points that are seen were found again near their places.
    private func areFound(_ isSeen: [Bool]) -> Bool {
        var (seen, lost) = (0, 0)
        for (match, isSeen) in zip(motion.matches, isSeen) where isSeen {
            seen += 1
            let length = (match.offset * match.offset).sum().squareRoot()
            if !match.isFound || length > Self.distance { lost += 1 }
        }
        return seen >= Self.fewest && Double(lost) <= Self.lost * Double(seen)
    }

    /// Takes points that were measured in a frame, so that they can move to the next one.
    ///
    /// - Parameters:
    ///   - points: x and y in pixels of the upright frame.
    ///   - last: the points in the frame before.
    ///   - presence: the model's certainty of the thing, 0...1.
    ///   - isSeen: whether the image shows a point.
    package func take(
        _ points: [SIMD3<Double>], after last: [SIMD3<Double>], presence: Double, _ origin: LandmarkOrigin,
        in frame: UprightFrame, isSeen: (Int) -> Bool
    ) throws(VisionError) {
        origin.reset()
        guard isLive, presence >= Self.certain, let square = square(points, frame.size, isSeen) else {
            return
        }
        let speed = speed(points, last, isSeen) * Double(Self.side) / square.width
        guard speed <= Double(Self.distance) else { return }
        try sample(square, frame)
        origin.begin(brightness.values, of: square, points, isSeen: isSeen)
    }

    /// Returns the mean distance of the seen points from where they were, in pixels.
    private func speed(
        _ points: [SIMD3<Double>], _ last: [SIMD3<Double>], _ isSeen: (Int) -> Bool
    ) -> Double {
        var (sum, count) = (0.0, 0.0)
        for index in points.indices where isSeen(index) {
            sum += hypot(points[index].x - last[index].x, points[index].y - last[index].y)
            count += 1
        }
        return count > 0 ? sum / count : .infinity
    }

    /// Returns the square around the seen points; nil where it is too small.
    private func square(_ points: [SIMD3<Double>], _ size: Size, _ isSeen: (Int) -> Bool) -> Rectangle? {
        let end = SIMD2(size.width, size.height)
        var (low, high) = (end, SIMD2(0.0, 0.0))
        for (index, point) in points.enumerated() where isSeen(index) {
            let place = SIMD2(point.x, point.y).clamped(lowerBound: SIMD2(), upperBound: end)
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
        }
        let (side, middle) = ((high - low).max() * Self.scale, (low + high) / 2)
        guard side >= Self.smallest, side.isFinite else { return nil }
        return Rectangle(center: Point(x: middle.x, y: middle.y), size: Size(width: side, height: side))
    }

    private func sample(_ square: Rectangle, _ frame: UprightFrame) throws(VisionError) {
        let view = RotatedSquare(center: square.center, side: square.width, angle: 0)
        try brightness.sample(
            frame.image, region: frame.region(of: view), width: Self.side, height: Self.side)
    }
}
