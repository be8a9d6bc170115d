/// Reads a grid at another size, row by row: linear, pixel centres aligned, edges repeated.
package final class LinearResizer {
    private let columns = ScratchBuffer<LinearTap>()
    private let combined = ScratchBuffer<Float>()
    private let output = ScratchBuffer<Float>()
    private var sourceWidth = 0
    private var width = 0
    private var height = 0

    /// A reader without tables yet.
    package init() {}

    /// Starts reading `grid` at `width` x `height`.
    package func begin(_ grid: FloatImage, width: Int, height: Int) {
        self.height = height
        guard grid.width != sourceWidth || width != self.width else { return }
        (sourceWidth, self.width) = (grid.width, width)
        combined.reserve(sourceWidth + 2)
        output.reserve(width)
        let columns = columns.reserve(width)
        for x in 0..<width {
            let position = (Double(x) + 0.5) * Double(sourceWidth) / Double(width) - 0.5
            columns[x] = LinearTap(position: position, samples: sourceWidth)
        }
    }

    /// Row `y` of the stretched grid, valid until the next one; `grid` is the one given to `begin`.
    package func row(_ y: Int, of grid: FloatImage) -> UnsafeMutablePointer<Float> {
        let position = (Double(y) + 0.5) * Double(grid.height) / Double(height) - 0.5
        let tap = LinearTap(position: position, samples: grid.height)
        let (upper, lower) = (grid.row(Int(tap.index)), grid.row(tap.last))
        let combined = combined.base + 1
        for x in 0..<sourceWidth { combined[x] = upper[x] + (lower[x] - upper[x]) * tap.fraction }
        combined[-1] = combined[0]
        combined[sourceWidth] = combined[sourceWidth - 1]
        if width == 2 * sourceWidth { double(combined) } else { stretch(combined) }
        return output.base
    }

    /// Fills `target` with `source`, resized to its size.
    package func resize(_ source: FloatImage, into target: FloatImage) {
        begin(source, width: target.width, height: target.height)
        for y in 0..<target.height { target.row(y).update(from: row(y, of: source), count: target.width) }
    }

    /// Twice as many values: the weights are always a quarter and three.
    private func double(_ row: UnsafePointer<Float>) {
        let output = output.base
        for x in 0..<sourceWidth {
            output[2 &* x] = 0.75 * row[x] + 0.25 * row[x &- 1]
            output[2 &* x &+ 1] = 0.75 * row[x] + 0.25 * row[x &+ 1]
        }
    }

    private func stretch(_ row: UnsafePointer<Float>) {
        let (output, columns) = (output.base, columns.base)
        for x in 0..<width {
            let (index, fraction) = (Int(columns[x].index), columns[x].fraction)
            output[x] = row[index] + (row[index &+ 1] - row[index]) * fraction
        }
    }
}
