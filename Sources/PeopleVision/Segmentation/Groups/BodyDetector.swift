import Glibc
import Imaging
import Inference

/// Finds bodies in a square of a frame.
///
/// Source: the model's description; the network is that of BlazePose (Bazarevsky and others, 2020).
final class BodyDetector {
    /// Whoever is surer is worth a look; the outliner decides.
    private static let threshold = 0.4

    private let model: CropModel
    private let anchors: Anchors
    private let scale: Double
    private let threshold: Float
    private let valuesPerAnchor: Int
    /// First value of each keypoint: hips, body circle, shoulders, upper circle.
    private let points: [Int]

    init(_ info: ModelInfo, _ setup: FaceModels.Setup) throws(VisionError) {
        model = try CropModel(info, setup, border: .black)
        let names = info.facts["detector"]?["keypoints"]?.array?.map { $0.string ?? "" } ?? []
        points = ["hipCentre", "fullBodyCircle", "shoulderCentre", "upperBodyCircle"]
            .compactMap { names.firstIndex(of: $0) }.map { 4 + 2 * $0 }
        valuesPerAnchor = 4 + 2 * names.count
        guard let facts = info.facts["detector"], let side = info.input.width, points.count == 4,
            let layers = DetectorFacts.layers(facts, side: side), let scale = facts["scale"]?.number,
            scale >= 1
        else { throw model.unsupported("its description does not say how its outputs are read") }
        anchors = Anchors(layers, side: side)
        self.scale = scale
        threshold = Float(log(Self.threshold / (1 - Self.threshold)))
        let count = anchors.centers.count
        guard model.outputCounts.prefix(2) == [count * valuesPerAnchor, count] else {
            throw model.unsupported("its outputs do not fit its \(count) anchors")
        }
    }

    /// Appends the bodies that `view` shows to `bodies`; one body gives several.
    func find(in frame: UprightFrame, _ view: FaceCrop, into bodies: inout [Body]) throws(VisionError) {
        try model.run(frame, view)
        let count = anchors.centers.count
        let values = try model.output(0, count: count * valuesPerAnchor)
        let scores = try model.output(1, count: count)
        for index in 0..<count where scores[index] >= threshold {
            func pixels(_ keypoint: Int) -> Point {
                let first = index * valuesPerAnchor + points[keypoint]
                let anchor = anchors.centers[index]
                return view.pixels(
                    Point(
                        x: Double(values[first]) / scale + anchor.x,
                        y: Double(values[first + 1]) / scale + anchor.y))
            }
            let (hips, circle, shoulders) = (pixels(0), pixels(1), pixels(2))
            let body = Body(
                hips: hips, radius: hips.distance(to: circle),
                angle: atan2(circle.x - hips.x, hips.y - circle.y), shoulders: shoulders,
                upperRadius: shoulders.distance(to: pixels(3)), score: 1 / (1 + exp(-Double(scores[index]))))
            if body.radius.isFinite, body.radius > 8, body.upperRadius.isFinite { bodies.append(body) }
        }
    }
}
