package import Imaging

/// Runs a single-shot detector on squares of a frame.
final class AnchorDetector {
    /// What the last square shows, best first, in its unit square.
    private(set) var found: [AnchorDetection] = []
    private let model: ImageModel
    private let anchors: Anchors
    private var candidates: [AnchorDetection] = []

    /// Candidates for which there is memory from the start.
    private static let usualCandidates = 64

    /// Side of the square that the model sees, in its pixels.
    var inputSide: Int { model.width }

    /// The keypoints' names, in their order in `AnchorDetection`.
    var keypoints: [String] { anchors.keypoints }

    /// Loads the detector that the manifest called `name` describes.
    init(_ name: String, _ setup: ModelSetup) throws(VisionError) {
        model = try ImageModel(name, border: .black, setup)
        guard let anchors = Anchors(model.info) else { throw Self.isNotDescribed(model) }
        self.anchors = anchors
        _ = try outputs()
        candidates.reserveCapacity(Self.usualCandidates)
        found.reserveCapacity(Self.usualCandidates)
    }

    /// To throw where the manifest lacks a keypoint.
    var isNotDescribed: VisionError { Self.isNotDescribed(model) }

    /// Fills `found` with what `view` shows.
    func find(in frame: UprightFrame, _ view: RotatedSquare) throws(VisionError) {
        try model.run(on: frame.image, region: frame.region(of: view))
        let (values, scores) = try outputs()
        candidates.removeAll(keepingCapacity: true)
        anchors.decode(values, scores, into: &candidates)
        found.removeAll(keepingCapacity: true)
        NonMaximumSuppression.blend(&candidates, overlap: anchors.overlap, into: &found)
    }

    private static func isNotDescribed(_ model: ImageModel) -> VisionError {
        model.unsupported("its description does not say how its outputs are read")
    }

    private func outputs() throws(VisionError) -> (
        values: UnsafeBufferPointer<Float>, scores: UnsafeBufferPointer<Float>
    ) {
        let count = anchors.centers.count
        return (
            try model.output(0, count: count * anchors.valuesPerAnchor), try model.output(1, count: count)
        )
    }
}

/// What a single-shot detector says at one anchor, in the unit square of its input.
package struct AnchorDetection: Detection {
    /// Centre x and y, width and height of the box, then x and y of each keypoint; the rest is 0.
    ///
    /// A vector, because an array would be memory of its own for every candidate.
    package let values: SIMD32<Double>
    package let score: Double

    /// Keypoints that fit into `values`; faces have 6, hands 7, bodies 4.
    static let maximumKeypoints = 14

    package init(values: SIMD32<Double>, score: Double) { (self.values, self.score) = (values, score) }

    package var box: Rectangle {
        Rectangle(
            x: values[0] - values[2] / 2, y: values[1] - values[3] / 2, width: values[2], height: values[3])
    }

    /// The keypoint `index`, 0..<`maximumKeypoints`.
    package func keypoint(_ index: Int) -> Point {
        Point(x: values[4 + 2 * index], y: values[5 + 2 * index])
    }

    /// False when a value is no number, or the box has no area.
    var isUsable: Bool { values.sum().isFinite && values[2] > 0 && values[3] > 0 }
}
