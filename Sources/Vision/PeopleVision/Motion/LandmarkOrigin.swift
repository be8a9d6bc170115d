import Imaging

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
