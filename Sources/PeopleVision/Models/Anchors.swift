import Glibc
package import Imaging
package import Inference
import JSON

/// Reads the outputs of a single-shot detector as its manifest describes them.
///
/// A box is stated relative to an anchor, one of the centres of regular grids of cells, as in SSD (Liu and
/// others, 2016), but anchors have no sizes of their own (BlazeFace, Bazarevsky and others, 2019).
package struct Anchors {
    /// Centres in the input's unit square: layer by layer, row by row.
    package let centers: [Point]
    /// The keypoints' names, in the order of the output.
    let keypoints: [String]
    /// Boxes whose intersection over union exceeds this show one thing.
    let overlap: Double
    /// Values per anchor: the box, then x and y of each keypoint.
    let valuesPerAnchor: Int
    /// What a position or size is divided by to be a share of the input.
    private let scale: Float
    /// The score, before the sigmoid, below which an anchor has found nothing.
    private let threshold: Float

    /// One grid of anchors.
    package struct Layer {
        /// Input pixels from one cell to the next.
        let stride: Int
        /// Anchors that share a cell's centre.
        let anchorsPerCell: Int

        package init(stride: Int, anchorsPerCell: Int) {
            (self.stride, self.anchorsPerCell) = (stride, anchorsPerCell)
        }

        /// Cells along a side of the input.
        fileprivate func cells(side: Int) -> Int { (side + stride - 1) / stride }

        /// Anchors of the whole grid.
        fileprivate func count(side: Int) -> Int { cells(side: side) * cells(side: side) * anchorsPerCell }
    }

    /// - Parameter info: its `detector` holds the facts.
    /// - Returns: nil when the manifest lacks a number or holds an absurd one.
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

    /// Appends what the outputs say of anchors whose score reaches the threshold to `found`.
    ///
    /// - Parameters:
    ///   - values: `valuesPerAnchor` for each of `centers`.
    ///   - scores: one for each, before the sigmoid.
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
    /// Centres of the anchors of `layers`, for an input of `side` pixels.
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

    /// Far more than detectors have: a few thousand.
    private static let maximumAnchors = 1 << 18
}
