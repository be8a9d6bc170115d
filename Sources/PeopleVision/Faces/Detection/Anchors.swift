package import Imaging

/// The points of the input square relative to which a single-shot detector states its boxes.
///
/// As in SSD (Liu and others, 2016), but without sizes of their own (BlazeFace, 2019).
package struct Anchors {
    /// Centres in the input's unit square: layer by layer, row by row.
    package let centers: [Point]

    /// - Parameter side: of the input, in pixels.
    package init(_ layers: [AnchorLayer], side: Int) {
        var centers: [Point] = []
        for layer in layers {
            let cells = (side + layer.stride - 1) / layer.stride
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

/// One grid of anchors.
package struct AnchorLayer {
    /// Input pixels from one cell to the next.
    let stride: Int
    /// Anchors that share a cell's centre.
    let anchorsPerCell: Int

    package init(stride: Int, anchorsPerCell: Int) {
        self.stride = stride
        self.anchorsPerCell = anchorsPerCell
    }
}
