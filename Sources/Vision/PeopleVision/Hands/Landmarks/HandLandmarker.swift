import Imaging

/// Finds the points of a hand in a crop.
final class HandLandmarker {
    /// The model of MediaPipe Hands, complexity 1.
    static let name = "hand_landmark_full"

    private let model: ImageModel

    init(_ setup: ModelSetup) throws(VisionError) {
        model = try ImageModel(Self.name, filter: .bilinear, border: .black, setup)
        _ = try outputs()
    }

    /// Finds the points of the hand in `crop`.
    ///
    /// - Returns: the model's certainty that there is a hand, 0...1; `hand` is undefined when that is 0.
    func find(
        in frame: UprightFrame, _ crop: RotatedSquare, into hand: inout HandLandmarks
    ) throws(VisionError) -> Double {
        hand.presence = 0
        guard crop.isUsable else { return 0 }
        try model.run(on: frame.image, region: frame.region(of: crop))
        let outputs = try outputs()
        let (presence, rightness) = (Double(outputs.presence[0]), Double(outputs.rightness[0]))
        guard presence.isFinite, rightness.isFinite, outputs.areFinite else { return 0 }
        for index in 0..<HandLandmarks.pointCount {
            let start = 3 * index
            let place = crop.pixels(
                Point(
                    x: Double(outputs.points[start]) / Double(model.width),
                    y: Double(outputs.points[start + 1]) / Double(model.height)))
            hand.points[index] = SIMD3(place.x, place.y, 0)
            // The crop is rotated with the hand, and so are the model's axes.
            hand.world[index] = crop.upright(
                outputs.world[start], outputs.world[start + 1], outputs.world[start + 2])
        }
        hand.presence = min(max(presence, 0), 1)
        hand.rightness = min(max(rightness, 0), 1)
        return hand.presence
    }

    private struct Outputs {
        let points: UnsafeBufferPointer<Float>
        let presence: UnsafeBufferPointer<Float>
        let rightness: UnsafeBufferPointer<Float>
        let world: UnsafeBufferPointer<Float>

        var areFinite: Bool { points.allSatisfy(\.isFinite) && world.allSatisfy(\.isFinite) }
    }

    private func outputs() throws(VisionError) -> Outputs {
        Outputs(
            points: try model.output(0, count: 3 * HandLandmarks.pointCount),
            presence: try model.output(1, count: 1), rightness: try model.output(2, count: 1),
            world: try model.output(3, count: 3 * HandLandmarks.pointCount))
    }
}
