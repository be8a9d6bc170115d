import Glibc
package import Imaging
package import Inference
import JSON

/// A thing that a detector has found: its place, and the detector's certainty.
package protocol Detection {
    /// The box around the visible part of the thing.
    var box: Rectangle { get }
    /// The certainty, 0...1.
    var score: Double { get }
}

/// A box in the upright frame's unit square.
package struct BoxDetection: Detection, Sendable {
    package let box: Rectangle
    package let score: Double

    /// Creates a detection in `box`.
    package init(box: Rectangle, score: Double) { (self.box, self.score) = (box, score) }

    /// Creates a detection between two corners, in units of the frame, clipped to the frame; nil when it lies
    /// outside.
    package init?(left: Double, top: Double, right: Double, bottom: Double, score: Double) {
        // A comparison with a limit would turn NaN into a side of the frame.
        guard !(left + top + right + bottom).isNaN else { return nil }
        let (x, y, endX, endY) = (max(0, left), max(0, top), min(1, right), min(1, bottom))
        guard endX > x, endY > y else { return nil }
        self.init(box: Rectangle(x: x, y: y, width: endX - x, height: endY - y), score: score)
    }
}

/// Reduces the many boxes that a detector puts around a thing to one detection.
///
/// Two boxes show one thing when their intersection over union exceeds `overlap`.
package enum NonMaximumSuppression {
    /// Keeps the best of overlapping boxes, at most `maximumCount`, best first.
    package static func keepBest<Found: Detection>(_ found: inout [Found], overlap: Double, maximumCount: Int)
    {
        found.sort { $0.score > $1.score }
        var kept = 0
        for index in found.indices where kept < maximumCount {
            let box = found[index].box
            if found[..<kept].contains(where: { $0.box.overlap(with: box) > overlap }) { continue }
            found.swapAt(kept, index)
            kept += 1
        }
        found.removeLast(found.count - kept)
    }

    /// Merges each best box with the boxes that overlap it: their mean, weighted by score, with the best
    /// score.
    ///
    /// A mean jitters less from frame to frame than the best box (BlazeFace, Bazarevsky and others 2019,
    /// section 4).
    ///
    /// - Parameters:
    ///   - candidates: empty afterwards; boxes without an area are dropped.
    ///   - blended: the array to which the means are appended, best first.
    package static func blend(
        _ candidates: inout [AnchorDetection], overlap: Double, into blended: inout [AnchorDetection]
    ) {
        while let best = candidates.max(by: { $0.score < $1.score }) {
            var sum = SIMD32<Double>()
            var weight = 0.0
            for candidate in candidates where candidate.box.overlap(with: best.box) > overlap {
                sum += candidate.values * candidate.score
                weight += candidate.score
            }
            let before = candidates.count
            candidates.removeAll { $0.box.overlap(with: best.box) > overlap }
            // A box without an area does not even overlap itself, and would keep the loop going.
            guard candidates.count < before, weight > 0 else {
                return candidates.removeAll(keepingCapacity: true)
            }
            blended.append(AnchorDetection(values: sum * (1 / weight), score: best.score))
        }
    }
}

/// Runs a single-shot detector on squares of a frame.
final class AnchorDetector {
    /// The detections in the last square, best first, in its unit square.
    private(set) var found: [AnchorDetection] = []
    private let model: ImageModel
    private let anchors: Anchors
    private var candidates: [AnchorDetection] = []

    /// Candidates for which there is memory from the start.
    private static let usualCandidates = 64

    /// Side of the model's input, in pixels.
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

    /// The error to throw where the manifest has no such keypoint.
    var isNotDescribed: VisionError { Self.isNotDescribed(model) }

    /// Fills `found` with the detections in `view`.
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

/// A detection of a single-shot detector at one anchor, in the unit square of its input.
package struct AnchorDetection: Detection {
    /// Centre x and y, width and height of the box, then x and y of each keypoint; the rest is 0.
    ///
    /// A vector, because an array would allocate memory for every candidate.
    package let values: SIMD32<Double>
    package let score: Double

    /// Keypoints that fit into `values`; faces have 6, hands 7, bodies 4.
    static let maximumKeypoints = 14

    package init(values: SIMD32<Double>, score: Double) { (self.values, self.score) = (values, score) }

    package var box: Rectangle {
        Rectangle(
            x: values[0] - values[2] / 2, y: values[1] - values[3] / 2, width: values[2], height: values[3])
    }

    /// Returns the keypoint `index`, 0..<`maximumKeypoints`.
    package func keypoint(_ index: Int) -> Point {
        Point(x: values[4 + 2 * index], y: values[5 + 2 * index])
    }

    /// Whether all values are numbers and the box has an area.
    var isUsable: Bool { values.sum().isFinite && values[2] > 0 && values[3] > 0 }
}

/// Reads the outputs of a single-shot detector as its manifest describes them.
///
/// A box is stated relative to an anchor, one of the centres of regular grids of cells, as in SSD (Liu and
/// others, 2016), but anchors have no sizes of their own (BlazeFace, Bazarevsky and others, 2019).
package struct Anchors {
    /// Centres in the input's unit square: layer by layer, row by row.
    package let centers: [Point]
    /// The keypoints' names, in the order of the output.
    let keypoints: [String]
    /// The intersection over union above which boxes show one thing.
    let overlap: Double
    /// Values per anchor: the box, then x and y of each keypoint.
    let valuesPerAnchor: Int
    /// The divisor that turns a position or size into a share of the input.
    private let scale: Float
    /// The score before the sigmoid below which an anchor has no detection.
    private let threshold: Float

    /// A grid of anchors.
    package struct Layer {
        /// Input pixels from one cell to the next.
        let stride: Int
        /// Number of anchors at a cell's centre.
        let anchorsPerCell: Int

        package init(stride: Int, anchorsPerCell: Int) {
            (self.stride, self.anchorsPerCell) = (stride, anchorsPerCell)
        }

        /// Returns the number of cells along a side of the input.
        fileprivate func cells(side: Int) -> Int { (side + stride - 1) / stride }

        /// Returns the number of anchors of the whole grid.
        fileprivate func count(side: Int) -> Int { cells(side: side) * cells(side: side) * anchorsPerCell }
    }

    /// Reads the description of a detector.
    ///
    /// - Parameter info: a manifest with the facts in `detector`.
    /// - Returns: nil when the manifest lacks a number or has one out of range.
    package init?(_ info: ModelInfo) {
        guard let facts = info.facts["detector"], let side = info.input.width, side == info.input.height,
            (1...4096).contains(side), let layers = Self.layers(facts, side: side),
            let scale = facts["scale"]?.number, scale >= 1,
            let threshold = facts["score"]?["threshold"]?.number, threshold > 0, threshold < 1,
            let overlap = facts["suppression"]?["overlap"]?.number, overlap > 0, overlap < 1,
            let keypoints = facts["keypoints"]?.array?.map({ $0.string ?? "" }),
            keypoints.count <= AnchorDetection.maximumKeypoints
        else { return nil }
        centers = Self.centers(layers, side: side)
        self.keypoints = keypoints
        self.overlap = overlap
        valuesPerAnchor = 4 + 2 * keypoints.count
        self.scale = Float(scale)
        self.threshold = Float(log(threshold / (1 - threshold)))
    }

    /// Appends the detections of anchors whose score reaches the threshold to `found`.
    ///
    /// - Parameters:
    ///   - values: `valuesPerAnchor` values for each of `centers`.
    ///   - scores: one score for each, before the sigmoid.
    package func decode(
        _ values: UnsafeBufferPointer<Float>, _ scores: UnsafeBufferPointer<Float>,
        into found: inout [AnchorDetection]
    ) {
        guard scores.count >= centers.count, values.count >= centers.count * valuesPerAnchor else { return }
        for index in centers.indices where scores[index] >= threshold {
            let score = 1 / (1 + exp(-Double(scores[index])))
            let candidate = AnchorDetection(values: decoded(values, index), score: score)
            if candidate.isUsable { found.append(candidate) }
        }
    }

    private func decoded(_ values: UnsafeBufferPointer<Float>, _ index: Int) -> SIMD32<Double> {
        let center = centers[index]
        var decoded = SIMD32<Double>()
        for place in 0..<valuesPerAnchor {
            decoded[place] = Double(values[index * valuesPerAnchor + place] / scale)
            // The box's size is the only pair that is not a position.
            if place != 2, place != 3 { decoded[place] += place.isMultiple(of: 2) ? center.x : center.y }
        }
        return decoded
    }
}

extension Anchors {
    /// Returns the centres of the anchors of `layers`, for an input of `side` pixels.
    package static func centers(_ layers: [Layer], side: Int) -> [Point] {
        var centers: [Point] = []
        for layer in layers {
            let cells = layer.cells(side: side)
            for y in 0..<cells {
                for x in 0..<cells {
                    let center = Point(
                        x: (Double(x) + 0.5) / Double(cells), y: (Double(y) + 0.5) / Double(cells))
                    for _ in 0..<layer.anchorsPerCell { centers.append(center) }
                }
            }
        }
        return centers
    }

    private static func layers(_ facts: JSON, side: Int) -> [Layer]? {
        guard let list = facts["layers"]?.array, (1...8).contains(list.count) else { return nil }
        let layers = list.compactMap { layer -> Layer? in
            guard let stride = layer["stride"]?.integer, (1...side).contains(stride),
                let count = layer["anchorsPerCell"]?.integer, (1...64).contains(count)
            else { return nil }
            return Layer(stride: stride, anchorsPerCell: count)
        }
        let isWhole = layers.count == list.count
        return isWhole && layers.reduce(0, { $0 + $1.count(side: side) }) <= maximumAnchors ? layers : nil
    }

    /// Maximum number of anchors, far above the few thousand of real detectors.
    private static let maximumAnchors = 1 << 18
}
