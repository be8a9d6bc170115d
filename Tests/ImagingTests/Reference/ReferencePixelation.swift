import Imaging
import TestSupport

/// The definition of squares, in doubles: the means of cells, and their mean weighted by the cells' pixels.
struct ReferencePixelation {
    private let image: TestImage
    /// Sides of a cell and a square in pixels.
    private let (cell, square): (Int, Int)
    /// Means of the squares, by component, row and column.
    private var means: [[[Double]]] = []

    init(_ pixelation: Pixelation, of image: TestImage) {
        self.image = image
        let layout = image.view.format.layout
        let unit = 1 << max(1, layout.components.1.widthShift)
        let wanted = (pixelation.side * Double(image.view.height)).rounded(.up)
        let units = max(1, Int((wanted / Double(unit)).rounded(.up)))
        cell = min(8, unit * units)
        square = cell < 8 ? cell : 8 * Int((wanted / 8).rounded(.up))
        means = (0..<3).map { component in
            stride(from: 0, to: image.view.height, by: square).map { top in
                stride(from: 0, to: image.view.width, by: square).map { mean(component, $0, top) }
            }
        }
    }

    /// Returns the mean of the square around a place; alpha and padding are full.
    func value(at place: SamplePlace) -> Double {
        guard let component = place.part, component < 3 else { return image.maximum }
        let layout = image.view.format.layout
        let part = layout.component(component)
        let x = (place.index * layout.bytesPerSample - part.offset) / part.pixelStride
        return means[component][(place.row << part.heightShift) / square][(x << part.widthShift) / square]
    }

    /// Returns the mean of a component in the square at a pixel.
    private func mean(_ component: Int, _ left: Int, _ top: Int) -> Double {
        var (sum, pixels) = (0.0, 0)
        for cellY in stride(from: top, to: min(top + square, image.view.height), by: cell) {
            for cellX in stride(from: left, to: min(left + square, image.view.width), by: cell) {
                let width = min(cell, image.view.width - cellX)
                let height = min(cell, image.view.height - cellY)
                sum += cellMean(component, cellX, cellY) * Double(width * height)
                pixels += width * height
            }
        }
        return (sum / Double(pixels)).rounded()
    }

    /// Returns the mean of a component's samples in the cell at a pixel.
    private func cellMean(_ component: Int, _ x: Int, _ y: Int) -> Double {
        let part = image.view.format.layout.component(component)
        let (width, height) = (part.sampleWidth(image.view.width), part.sampleHeight(image.view.height))
        let columns = (x >> part.widthShift)..<min((x + cell) >> part.widthShift, width)
        let rows = (y >> part.heightShift)..<min((y + cell) >> part.heightShift, height)
        let values = rows.flatMap { row in columns.map { Double(image[component, $0, row]) } }
        return values.reduce(0, +) / Double(values.count)
    }
}
