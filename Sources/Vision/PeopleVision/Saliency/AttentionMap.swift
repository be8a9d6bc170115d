import Glibc
package import Imaging

/// Combines the places that attract attention: faces first, then people, then other subjects, and the
/// targets of gazes.
package final class AttentionMap {
    /// Heat relative to that of a face.
    private static let weights = (person: Float(0.5), subject: Float(0.35), gaze: Float(0.5))
    /// Sizes in faces: the spread of the heat of a face and of its target, and the distance of the target
    /// when the head is turned by a right angle.
    ///
    /// Chosen by looking at images, for want of a measure.
    private static let extents = (face: 0.45, gaze: 1.0, distance: 4.0)
    /// Minimum heat inside the box, as a share of the strongest.
    private static let strong: Float = 0.5
    /// Minimum heat of things that stand out, 0...1.
    private static let faintest: Float = 0.1

    /// The heat, upright.
    package let map = SaliencyMap()

    /// Creates a map without an image.
    package init() {}

    /// Begins an image with coverage of its people and of all its subjects.
    package func begin(people: FloatImage?, subjects: FloatImage?) {
        map.clear()
        if let subjects { map.raise(to: subjects, weight: Self.weights.subject) }
        if let people { map.raise(to: people, weight: Self.weights.person) }
    }

    /// Adds a face.
    ///
    /// - Parameters:
    ///   - face: a face with the angles of the upright image.
    ///   - box: the face's place in the upright image.
    func add(_ face: FaceObservation, box: Rectangle) {
        add(box, yaw: face.yaw, pitch: face.pitch, confidence: face.confidence)
    }

    /// Adds a face by its place and pose.
    package func add(_ box: Rectangle, yaw: Double, pitch: Double, confidence: Double) {
        map.raise(around: box.center, spread: box.spread(Self.extents.face), weight: Float(confidence))
        let turn = SIMD2(sin(yaw), sin(pitch))
        let length = (turn * turn).sum().squareRoot()
        let target = Point(
            x: box.center.x + turn.x * Self.extents.distance * box.width,
            y: box.center.y + turn.y * Self.extents.distance * box.height)
        map.raise(
            around: target, spread: box.spread(Self.extents.gaze),
            weight: Self.weights.gaze * Float(min(1, length) * confidence))
    }

    /// Ends the image.
    ///
    /// - Returns: the box around the strong heat; nil where nothing stands out.
    package func finish() -> (box: Rectangle, confidence: Double)? {
        map.normalize(faintest: Self.faintest)
        guard let box = map.values.extent(above: Self.strong) else { return nil }
        var (sum, count): (Float, Float) = (0, 0)
        for value in map.values.values where value > Self.strong {
            sum += value
            count += 1
        }
        return (box, count > 0 ? Double(sum / count) : 0)
    }
}

extension Rectangle {
    fileprivate func spread(_ share: Double) -> Size { Size(width: share * width, height: share * height) }
}
