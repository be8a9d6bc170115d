/// Fills an image around a part of it with black.
final class SurroundingsFill<Sample: PixelSample> {
    private let black = ColorRows<Sample>()

    /// Fills the surroundings of a part.
    ///
    /// - Parameter part: begins between pixels that share no sample; a sample at its end that it shares with
    ///   pixels outside of it belongs to the part.
    func fill(_ image: MutableImageView, around part: PixelRect) {
        black.prepare(.black, for: ImageView(image))
        let layout = image.format.layout
        for plane in 0..<layout.planeCount {
            let count = layout.rowSamples(plane: plane, width: image.width)
            let rows = layout.rows(plane: plane, height: image.height)
            let kept = Self.samples(part.y, part.height, of: rows, shift: layout.heightShift(plane: plane))
            for row in 0..<rows {
                let samples: UnsafeMutablePointer<Sample> = image.plane(plane).samples(row)
                if kept.contains(row) {
                    fillSides(of: samples, plane, part, layout, width: image.width)
                } else {
                    samples.update(from: black.row(plane: plane), count: count)
                }
            }
        }
    }

    private func fillSides(
        of row: UnsafeMutablePointer<Sample>, _ plane: Int, _ part: PixelRect, _ layout: PixelLayout,
        width: Int
    ) {
        for number in 0..<layout.partCount {
            let component = layout.part(number)
            guard component.plane == plane else { continue }
            let count = component.sampleWidth(width)
            let kept = Self.samples(part.x, part.width, of: count, shift: component.widthShift)
            fill(0..<kept.lowerBound, of: row, component)
            fill(kept.upperBound..<count, of: row, component)
        }
    }

    private func fill(
        _ samples: Range<Int>, of row: UnsafeMutablePointer<Sample>, _ component: ComponentLayout
    ) {
        let black = black.row(plane: component.plane)
        for sample in samples {
            let index = component.first &+ sample &* component.step
            row[index] = black[index]
        }
    }

    /// Returns the samples, out of `count` samples of 1 << `shift` pixels each, that `length` pixels from
    /// `start` on touch.
    private static func samples(_ start: Int, _ length: Int, of count: Int, shift: Int) -> Range<Int> {
        let first = min(max(start >> shift, 0), count)
        let end = (start &+ length &+ (1 << shift) &- 1) >> shift
        return first..<min(max(end, first), count)
    }
}
