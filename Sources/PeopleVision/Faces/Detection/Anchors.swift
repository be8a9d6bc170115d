import Imaging

/// The points of the input square relative to which a single-shot detector states its boxes.
///
/// As in SSD (Liu and others, 2016), but without sizes of their own (BlazeFace, 2019).
struct Anchors {
    /// Centres in the input's unit square: layer by layer, row by row.
    let centers: [Point]

    init(_ facts: DetectorFacts) {
        var centers: [Point] = []
        for layer in facts.layers {
            let cells = (facts.inputSide + layer.stride - 1) / layer.stride
            for y in 0..<cells {
                for x in 0..<cells {
                    let center = Point(
                        x: (Double(x) + 0.5) / Double(cells), y: (Double(y) + 0.5) / Double(cells))
                    for _ in 0..<layer.anchorsPerCell { centers.append(center) }
                }
            }
        }
        self.centers = centers
    }
}
