/// Shows a frame's own background in squares of one colour each: the mean of their pixels.
///
/// Other backgrounds stay as they are. Alpha becomes opaque, as with a blur.
package struct Pixelation: Sendable, Equatable, EffectParameters {
    /// Side of the squares in frame heights, limited to 0...1; 0 shows no squares.
    ///
    /// Squares consist of whole chroma samples, and from 8 pixels on of whole cells of 8 pixels: the side is
    /// rounded up.
    package var side: Double

    /// Creates squares with a side in frame heights.
    package init(side: Double) { self.side = side }

    var isVisible: Bool { side > 0 }

    var layers: EffectLayers {
        EffectLayers(bytes: PixelationLayer<UInt8>(self), words: PixelationLayer<UInt16>(self))
    }
}

extension BackgroundEffect {
    /// Returns an effect that shows the background in squares of one colour each.
    package static func pixelate(_ pixelation: Pixelation) -> BackgroundEffect {
        BackgroundEffect(pixelation)
    }
}

/// Draws the squares.
///
/// The pixels of a frame are averaged over small cells first, then the cells over squares. One row of samples
/// for each plane serves all rows of a row of squares.
final class PixelationLayer<Sample: PixelSample>: BackgroundLayer {
    var parameters: Pixelation
    private let grid = BlurGrid<Sample>()
    private let rows = Quad { ScratchBuffer<Sample>() }
    /// The row of squares that each of `rows` shows; -1 for none.
    private var shown = SIMD4(repeating: -1)
    private var squares = SquareSize(side: 0, of: 1, unit: 1)
    private var plane = 0

    init(_ parameters: Pixelation) { self.parameters = parameters }

    func begin(_ frame: FrameContext) -> LayerOpacity? {
        guard case .original = frame.source else { return nil }
        let (image, layout) = (frame.image, frame.image.format.layout)
        squares = SquareSize(
            side: parameters.side, of: image.height, unit: 1 << max(1, layout.components.1.widthShift))
        grid.build(image, mask: nil, scale: BlurScale(cellSide: squares.cellSide), scaler: nil)
        shown = SIMD4(repeating: -1)
        for plane in 0..<layout.planeCount {
            let count = layout.rowSamples(plane: plane, width: image.width)
            // Alpha and padding are full.
            rows[plane].reserve(count).update(repeating: .max, count: count)
        }
        return .opaque
    }

    func selectRow(_ row: Int, plane: Int, of frame: ImageView) {
        self.plane = plane
        let layout = frame.format.layout
        let square = (row << layout.heightShift(plane: plane)) / squares.side
        guard shown[plane] != square else { return }
        shown[plane] = square
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            write(square, of: index, layout, width: frame.width)
        }
    }

    func apply(to row: inout BackgroundRow<Sample>) { row.replace(by: UnsafePointer(rows[plane].base)) }

    /// Writes a component of a row of squares.
    private func write(_ squareRow: Int, of index: Int, _ layout: PixelLayout, width: Int) {
        let (part, row) = (layout.component(index), rows[layout.component(index).plane].base)
        let perSquare = squares.side >> part.widthShift
        // Rows of packed 4:2:2 end with whole pairs of pixels.
        let count =
            (layout.rowSamples(plane: part.plane, width: width) - part.first + part.step - 1) / part.step
        let unit = Float(1 << layout.shift)
        for first in stride(from: 0, to: count, by: perSquare) {
            let mean = mean(of: index, column: first / perSquare, row: squareRow)
            let sample = Sample.rounded((mean + 0.5).rounded(.down) * unit)
            for place in first..<min(first + perSquare, count) {
                row[part.first &+ place &* part.step] = sample
            }
        }
    }

    /// Returns the mean of a component in a square, in code values: that of its cells, each weighted by its
    /// share of the frame.
    private func mean(of index: Int, column: Int, row: Int) -> Float {
        let (values, shares, across) = (grid.component(index), grid.coverage, squares.cells)
        var (sum, weight) = (Float(0), Float(0))
        for y in (row * across)..<min((row + 1) * across, grid.height) {
            for x in (column * across)..<min((column + 1) * across, grid.width) {
                let place = y &* grid.width &+ x
                sum += shares[place] * values[place]
                weight += shares[place]
            }
        }
        return weight > 0 ? sum / weight : 0
    }
}

/// The size of squares in pixels, and of the cells of which they consist.
struct SquareSize: Equatable {
    /// Maximum side of a cell, in pixels: larger ones would take longer to sum.
    private static let largestCell = 8

    /// Side of a cell, in pixels.
    let cellSide: Int
    /// Number of cells along a square's side.
    let cells: Int
    /// Side of a square, in pixels.
    var side: Int { cellSide * cells }

    /// Rounds a side up.
    ///
    /// - Parameters:
    ///   - side: in frame heights.
    ///   - height: the frame's height in pixels.
    ///   - unit: maximum number of pixels that share a chroma sample, a divisor of 8.
    init(side: Double, of height: Int, unit: Int) {
        let pixels = Int((side.limited(0, 1) * Double(height)).rounded(.up))
        let units = max(1, (pixels + unit - 1) / unit)
        if units * unit < Self.largestCell {
            (cellSide, cells) = (units * unit, 1)
        } else {
            (cellSide, cells) = (Self.largestCell, (pixels + Self.largestCell - 1) / Self.largestCell)
        }
    }
}
