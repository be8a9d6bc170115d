import Glibc
import Inference

/// How a face detector's outputs are to be read; from the description beside the model.
struct DetectorFacts {
    let layers: [AnchorLayer]
    /// Side of the square input; positions and sizes are in its pixels.
    let inputSide: Int
    /// What a position or size is divided by to be a share of the input.
    let scale: Float
    /// Values per anchor: the box, then x and y of each keypoint.
    let valuesPerAnchor: Int
    let rightEye: Int
    let leftEye: Int
    let mouth: Int
    /// Scores below this, before the sigmoid, are no faces.
    let threshold: Float
    /// Boxes that overlap by more show one face (intersection over union).
    let overlap: Double

    /// - Returns: nil when the description lacks a number or holds an absurd one.
    init?(_ info: ModelInfo) {
        guard let facts = info.facts["detector"], let side = info.input.width, side == info.input.height,
            (1...4096).contains(side), let layers = Self.layers(facts, side: side),
            let scale = facts["scale"]?.number, scale >= 1,
            let threshold = facts["score"]?["threshold"]?.number, threshold > 0, threshold < 1,
            let overlap = facts["suppression"]?["overlap"]?.number,
            let names = facts["keypoints"]?.array?.map({ $0.string ?? "" }),
            let rightEye = names.firstIndex(of: "rightEye"), let leftEye = names.firstIndex(of: "leftEye"),
            let mouth = names.firstIndex(of: "mouthCentre")
        else { return nil }
        self.layers = layers
        inputSide = side
        self.scale = Float(scale)
        valuesPerAnchor = 4 + 2 * names.count
        self.rightEye = 4 + 2 * rightEye
        self.leftEye = 4 + 2 * leftEye
        self.mouth = 4 + 2 * mouth
        self.threshold = Float(log(threshold / (1 - threshold)))
        self.overlap = overlap
    }

    /// The grids of anchors that a detector's description names, for an input of `side` pixels.
    static func layers(_ facts: JSON, side: Int) -> [AnchorLayer]? {
        guard let list = facts["layers"]?.array, (1...8).contains(list.count) else { return nil }
        let layers = list.compactMap { layer -> AnchorLayer? in
            guard let stride = layer["stride"]?.integer, (1...side).contains(stride),
                let count = layer["anchorsPerCell"]?.integer, (1...64).contains(count)
            else { return nil }
            return AnchorLayer(stride: stride, anchorsPerCell: count)
        }
        return layers.count == list.count ? layers : nil
    }
}
