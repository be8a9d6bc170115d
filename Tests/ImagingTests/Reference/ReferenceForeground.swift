import Imaging
import TestSupport

/// The definition of the subject's own colours at soft samples, in doubles.
///
/// They are weighted averages over cells on both sides of the edge, smoothed over neighbours, interpolated
/// linearly, and corrected so that they give the visible colour.
struct ReferenceForeground {
    private let image: TestImage
    private let mask: ReferenceMask
    private let cellSide: Int
    /// The cells of the subject and of its surroundings, for each component.
    private let cells: [(own: [[Double]], old: [[Double]])]

    init(_ image: TestImage, _ mask: ReferenceMask) {
        let layout = image.view.format.layout
        let unit = 1 << max(1, layout.components.1.widthShift)
        let side = unit * max(1, Int((Double(image.view.height) / 150 / Double(unit)).rounded()))
        let averages = (0..<layout.colorCount).map { Self.averages(image, $0, side, mask) }
        cells = averages.map { component in
            (
                Self.smooth(component.map { $0.map(\.own) }, averages[0].map { $0.map(\.ownWeight) }),
                Self.smooth(component.map { $0.map(\.old) }, averages[0].map { $0.map(\.oldWeight) })
            )
        }
        (self.image, self.mask, cellSide) = (image, mask, side)
    }

    private struct Cell {
        var (own, old, ownWeight, oldWeight) = (0.0, 0.0, 0.0, 0.0)
    }

    private static func averages(
        _ image: TestImage, _ component: Int, _ side: Int, _ mask: ReferenceMask
    ) -> [[Cell]] {
        let layout = image.view.format.layout
        let (part, unit) = (layout.component(component), layout.bytesPerSample)
        let (perRow, perColumn) = (side >> part.widthShift, side >> part.heightShift)
        let (width, height) = (part.sampleWidth(image.view.width), part.sampleHeight(image.view.height))
        let count = { (pixels: Int) in (pixels + side - 1) / side }
        // Two rows of a cell are read.
        let step = max(1, perColumn / 2)
        return (0..<count(image.view.height)).map { cellY in
            (0..<count(image.view.width)).map { cellX in
                var cell = Cell()
                let end = min((cellY + 1) * perColumn, height)
                for y in stride(from: min(cellY * perColumn + step / 2, end - 1), to: end, by: step) {
                    for x in (cellX * perRow)..<min((cellX + 1) * perRow, width) {
                        let index = (part.offset + x * part.pixelStride) / unit
                        let alpha = mask.value(plane: part.plane, row: y, index: index)
                        let share = Int((alpha * 65535).rounded()) / 256
                        let (own, old) = (weight(share), weight(255 - share))
                        cell.own += own * Double(image[component, x, y])
                        cell.old += old * Double(image[component, x, y])
                        cell.ownWeight += own
                        cell.oldWeight += old
                    }
                }
                (cell.own, cell.old) = (cell.own / max(cell.ownWeight, 1), cell.old / max(cell.oldWeight, 1))
                return cell
            }
        }
    }

    /// Returns the fourth power of a fraction from 0 to 255, in eight bits; never 0.
    private static func weight(_ share: Int) -> Double {
        let square = share * share / 256
        return Double(square * square / 256 + 1)
    }

    private static func smooth(_ values: [[Double]], _ weights: [[Double]]) -> [[Double]] {
        values.indices.map { y in
            values[y].indices.map { x in
                var (sum, weight) = (0.0, 0.0)
                for row in max(0, y - 1)...min(values.count - 1, y + 1) {
                    for column in max(0, x - 1)...min(values[y].count - 1, x + 1) {
                        let share = (row == y ? 2.0 : 1) * (column == x ? 2 : 1) * weights[row][column]
                        sum += share * values[row][column]
                        weight += share
                    }
                }
                return sum / weight
            }
        }
    }

    /// Returns the value of the subject alone at a place.
    func value(at place: SamplePlace) -> Double {
        guard let component = place.part, component < 3 else { return image[place] }
        let layout = image.view.format.layout
        let part = layout.component(component)
        let x = (place.index * layout.bytesPerSample - part.offset) / part.pixelStride
        let position = { (sample: Int, shift: Int) in
            (Double(sample) + 0.5) / Double(cellSide >> shift) - 0.5
        }
        let between = { (cells: [[Double]]) in
            let column = min(max(position(x, part.widthShift), 0), Double(cells[0].count - 1))
            let row = min(max(position(place.row, part.heightShift), 0), Double(cells.count - 1))
            let (left, top) = (Int(column), Int(row))
            let (right, bottom) = (min(left + 1, cells[0].count - 1), min(top + 1, cells.count - 1))
            let (u, v) = (column - Double(left), row - Double(top))
            let upper = cells[top][left] * (1 - u) + cells[top][right] * u
            return upper * (1 - v) + (cells[bottom][left] * (1 - u) + cells[bottom][right] * u) * v
        }
        let (own, old) = (between(cells[component].own), between(cells[component].old))
        let alpha = mask[place]
        return min(max(own + alpha * (image[place] - alpha * own - (1 - alpha) * old), 0), image.maximum)
    }
}
