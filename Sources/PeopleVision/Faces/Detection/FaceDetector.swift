import Glibc
import Imaging
import Inference

/// Finds faces that are roughly upright in a square of a frame.
final class FaceDetector {
    private let model: CropModel
    private let facts: DetectorFacts
    /// Of the square that the model sees, in its pixels.
    var inputSide: Int { facts.inputSide }
    private let anchors: Anchors
    private var candidates: [FaceCandidate] = []
    private var faces: [FaceCandidate] = []

    init(_ info: ModelInfo, _ setup: FaceModels.Setup) throws(VisionError) {
        model = try CropModel(info, setup, border: .black)
        guard let facts = DetectorFacts(info) else {
            throw model.unsupported("its description does not say how its outputs are read")
        }
        self.facts = facts
        anchors = Anchors(facts.layers, side: facts.inputSide)
        let count = anchors.centers.count
        guard model.outputCounts.prefix(2) == [count * facts.valuesPerAnchor, count] else {
            throw model.unsupported("its outputs do not fit its \(count) anchors")
        }
        candidates.reserveCapacity(64)
        faces.reserveCapacity(64)
    }

    /// Appends the faces of `frame`, seen turned by `angle` (clockwise), to `found`.
    func find(in frame: UprightFrame, angle: Double, into found: inout [FaceDetection]) throws(VisionError) {
        try find(in: frame, FaceCrop(wholeOf: frame.size, angle: angle), into: &found)
    }

    /// Appends the faces of `frame` that are seen in `view`.
    func find(in frame: UprightFrame, _ view: FaceCrop, into found: inout [FaceDetection]) throws(VisionError)
    {
        try model.run(frame, view)
        try decode()
        faces.removeAll(keepingCapacity: true)
        WeightedSuppression.reduce(&candidates, overlap: facts.overlap, into: &faces)
        for face in faces { found.append(FaceDetection(face, in: view)) }
    }

    private func decode() throws(VisionError) {
        let count = anchors.centers.count
        let values = try model.output(0, count: count * facts.valuesPerAnchor)
        let scores = try model.output(1, count: count)
        candidates.removeAll(keepingCapacity: true)
        for index in 0..<count where scores[index] >= facts.threshold {
            let candidate = candidate(
                values.baseAddress.map { $0 + index * facts.valuesPerAnchor }, anchors.centers[index],
                score: scores[index])
            if let candidate, candidate.isFinite { candidates.append(candidate) }
        }
    }

    private func candidate(
        _ values: UnsafePointer<Float>?, _ anchor: Point, score: Float
    ) -> FaceCandidate? {
        guard let values else { return nil }
        let point = { (index: Int) in
            Point(
                x: Double(values[index] / self.facts.scale), y: Double(values[index + 1] / self.facts.scale))
        }
        let (center, size) = (point(0) + anchor, point(2))
        return FaceCandidate(
            box: Rectangle(
                x: center.x - size.x / 2, y: center.y - size.y / 2, width: size.x, height: size.y),
            rightEye: point(facts.rightEye) + anchor, leftEye: point(facts.leftEye) + anchor,
            mouth: point(facts.mouth) + anchor, score: 1 / (1 + exp(-Double(score))))
    }
}

/// A face found by a detector, in pixels of the upright frame.
struct FaceDetection {
    let center: Point
    /// The longer side of its box.
    let side: Double
    /// How far the face is turned, clockwise on a screen.
    let angle: Double
    /// How far the detector's view was turned.
    let viewAngle: Double
    /// 0...1.
    let score: Double

    init(_ face: FaceCandidate, in view: FaceCrop) {
        center = view.pixels(face.box.center)
        side = max(face.box.width, face.box.height) * view.side
        score = face.score
        viewAngle = view.angle
        angle =
            view.angle
            + FaceAxes.angle(
                rightEye: face.rightEye, leftEye: face.leftEye,
                top: (face.rightEye + face.leftEye) * 0.5, bottom: face.mouth)
    }

    /// Its upright bounding square.
    var square: Rectangle {
        Rectangle(x: center.x - side / 2, y: center.y - side / 2, width: side, height: side)
    }
}

extension FaceCrop {
    /// The smallest square that shows a whole frame of `size`, turned by `angle`.
    init(wholeOf size: Size, angle: Double) {
        let turned = size.turned(by: angle)
        self.init(
            center: Point(x: size.width / 2, y: size.height / 2), side: max(turned.width, turned.height),
            angle: angle)
    }

    /// A position in the crop's unit square, in pixels of the frame.
    func pixels(_ point: Point) -> Point {
        let (x, y) = ((point.x - 0.5) * side, (point.y - 0.5) * side)
        let (cosine, sine) = (cos(angle), sin(angle))
        return Point(x: center.x + cosine * x - sine * y, y: center.y + sine * x + cosine * y)
    }
}

extension Size {
    /// Of the upright box around a rectangle of this size that is turned by `angle`.
    func turned(by angle: Double) -> Size {
        // Those of quarter turns miss 0 by a hair, which would add a row of tiles.
        let (cosine, sine) = (abs(cos(angle)), abs(sin(angle)))
        return Size(
            width: (width * cosine + height * sine).rounded(),
            height: (width * sine + height * cosine).rounded())
    }
}
