import Imaging

/// Runs a single-shot detector on squares of a frame.
final class AnchorDetector {
    /// What the last square shows, best first, in its unit square.
    private(set) var found: [AnchorDetection] = []
    private let model: ImageModel
    private let anchors: Anchors
    private var candidates: [AnchorDetection] = []

    /// Candidates for which there is memory from the start.
    private static let usualCandidates = 64

    /// Of the square that the model sees, in its pixels.
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
