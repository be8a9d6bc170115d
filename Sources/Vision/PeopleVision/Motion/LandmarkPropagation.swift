import Glibc
package import Imaging

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

/// The frame in which the points of one followed thing were measured, and their motion to the next one.
package final class LandmarkOrigin {
    /// The part of the frame around the thing.
    let image = ImagePyramid()
    /// The part's place in the upright frame, in pixels.
    private(set) var square = Rectangle(x: 0, y: 0, width: 0, height: 0)
    /// The size of the image's pixels, in pixels of the upright frame.
    private var unit = 1.0
    /// The points in pixels of the image.
    private(set) var places: [SIMD2<Float>] = []
    /// Whether the image shows each point; the others move like these.
    private(set) var isSeen: [Bool] = []
    /// Whether the points may move to the next frame; otherwise they are to be measured.
    private(set) var isUsable = false
    /// The motion of the points from the frame to the next one, in pixels of the upright frame.
    package private(set) var steps: [SIMD2<Double>] = []

    /// Creates an origin without an image.
    package init() {}

    /// Forgets the image, so that the points are measured in the next frame.
    func reset() { isUsable = false }

    /// Takes the image of a square, and the points that were measured in it.
    func begin(
        _ brightness: FloatImage, of square: Rectangle, _ points: some Sequence<SIMD3<Double>>,
        isSeen: (Int) -> Bool
    ) {
        image.fill(brightness)
        (self.square, isUsable) = (square, true)
        places.removeAll(keepingCapacity: true)
        self.isSeen.removeAll(keepingCapacity: true)
        unit = square.width / Double(brightness.width)
        for (index, point) in points.enumerated() {
            places.append(SIMD2<Float>((SIMD2(point.x, point.y) - SIMD2(square.x, square.y)) / unit))
            self.isSeen.append(isSeen(index))
        }
    }

    /// Takes the motion of the points, in pixels of the image.
    func move(_ matches: [PointMotion.Match]) {
        isUsable = false
        steps.removeAll(keepingCapacity: true)
        for match in matches { steps.append(unit * SIMD2<Double>(match.offset)) }
    }
}

/// The motion of a thing's points since the frame before, in the image and in space.
package struct LandmarkSteps {
    private let steps: [SIMD2<Double>]
    /// The motion of the place where the space has its origin, in pixels.
    private let middle: SIMD2<Double>
    private let metresPerPixel: Double

    /// Creates the motion of points.
    ///
    /// - Parameters:
    ///   - steps: their motion in pixels, one for each point.
    ///   - origin: the points in whose middle the space has its origin.
    ///   - metresPerPixel: the size of the thing in metres by that in pixels.
    package init(_ steps: [SIMD2<Double>], origin: some Collection<Int>, metresPerPixel: Double) {
        (self.steps, self.metresPerPixel) = (steps, metresPerPixel)
        middle = origin.reduce(SIMD2()) { $0 + steps[$1] } / Double(max(1, origin.count))
    }

    /// The motion of the place where the space has its origin, in pixels.
    package var ofOrigin: Point { Point(x: middle.x, y: middle.y) }

    /// Returns the motion of a point in pixels.
    package func image(_ index: Int) -> SIMD3<Double> { SIMD3(steps[index].x, steps[index].y, 0) }

    /// Returns the motion of a point in metres, y up: across the line of sight, as far as it differs from the origin's.
    package func world(_ index: Int) -> SIMD3<Double> {
        let step = (steps[index] - middle) * metresPerPixel
        return SIMD3(step.x, -step.y, 0)
    }

    /// Moves points in the image and in space.
    package func move(_ points: inout [SIMD3<Double>], _ positions: inout [SIMD3<Double>]) {
        for index in points.indices {
            points[index] += image(index)
            positions[index] += world(index)
        }
    }
}
