import Imaging
import TestSupport

/// The definition of a background's blur, in doubles: weighted averages over cells, three boxes each way over
/// the cells, and a quadratic B-spline between them.
struct ReferenceBlur {
    private let image: TestImage
    private let cellSide: Int
    /// The blurred cells of each component.
    private let cells: [[[Double]]]

    init(_ blur: Blur, of image: TestImage, mask: ReferenceMask) {
        let layout = image.view.format.layout
        let unit = 1 << max(1, layout.components.1.widthShift)
        let sigma = blur.radius * Double(image.view.height)
        let side = unit * max(1, min(Int(sigma / (0.9 * Double(unit))), 8 / unit))
        let weights = Self.averages(image, 0, side, mask).map { $0.map(\.weight) }
        let variance = max(0, sigma * sigma / Double(side * side) - 1.0 / 3)
        let blurred = { ReferenceBoxes.blur($0, across: variance, down: variance) }
        let sums = blurred(weights)
        cells = (0..<layout.colorCount).map { index in
            let weighted = zip(Self.averages(image, index, side, mask), weights).map { row, weights in
                zip(row, weights).map { $0.value * $1 }
            }
            return zip(blurred(weighted), sums).map { zip($0, $1).map { $0 / $1 } }
        }
        (self.image, cellSide) = (image, side)
    }

    /// Returns the values of a component's cells, averaged by the background weight of each sample, and their
    /// weights as a fraction of a whole cell's.
    private static func averages(
        _ image: TestImage, _ component: Int, _ side: Int, _ mask: ReferenceMask
    ) -> [[(value: Double, weight: Double)]] {
        let layout = image.view.format.layout
        let (part, unit) = (layout.component(component), layout.bytesPerSample)
        let (perRow, perColumn) = (side >> part.widthShift, side >> part.heightShift)
        let (width, height) = (part.sampleWidth(image.view.width), part.sampleHeight(image.view.height))
        let cells = { (pixels: Int) in (pixels + side - 1) / side }
        return (0..<cells(image.view.height)).map { cellY in
            (0..<cells(image.view.width)).map { cellX in
                var (sum, weights) = (0.0, 0.0)
                for y in (cellY * perColumn)..<min((cellY + 1) * perColumn, height) {
                    for x in (cellX * perRow)..<min((cellX + 1) * perRow, width) {
                        let index = (part.offset + x * part.pixelStride) / unit
                        let alpha = mask.value(plane: part.plane, row: y, index: index)
                        // The weight has eight bits of alpha, and is never 0.
                        let weight = 256 - ((alpha * 65535).rounded() / 256).rounded(.down)
                        sum += weight * Double(image[component, x, y])
                        weights += weight
                    }
                }
                return (sum / weights, weights / Double(256 * perRow * perColumn))
            }
        }
    }

    /// Returns the blurred background at a place; alpha and padding are full.
    func value(at place: SamplePlace) -> Double {
        guard let component = place.part, component < 3 else { return image.maximum }
        let layout = image.view.format.layout
        let part = layout.component(component)
        let (x, y) = ((place.index * layout.bytesPerSample - part.offset) / part.pixelStride, place.row)
        let columns = Self.spline(x, cellSide >> part.widthShift, cells[component][0].count)
        let rows = Self.spline(y, cellSide >> part.heightShift, cells[component].count)
        var sum = 0.0
        for row in rows {
            for column in columns {
                sum += row.weight * column.weight * cells[component][row.cell][column.cell]
            }
        }
        return sum
    }

    /// Returns the cells around a sample and their weights; the last cells continue outside of the grid.
    private static func spline(
        _ sample: Int, _ perCell: Int, _ count: Int
    ) -> [(cell: Int, weight: Double)] {
        let position = (Double(sample) + 0.5) / Double(perCell) - 0.5
        let inside = min(max(position, 0), Double(count - 1))
        let (middle, distance) = (Int(inside.rounded()), inside - inside.rounded())
        let (left, right) = ((0.5 - distance) * (0.5 - distance) / 2, (0.5 + distance) * (0.5 + distance) / 2)
        return [
            (max(middle - 1, 0), left), (middle, 1 - left - right), (min(middle + 1, count - 1), right),
        ]
    }
}
