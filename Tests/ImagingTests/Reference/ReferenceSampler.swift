import Imaging
import TestSupport

/// The definition of resampling, one value at a time, in doubles.
struct ReferenceSampler {
    let image: TestImage
    let border: TensorSampler.Border

    private var color: ReferenceColor {
        ReferenceColor(format: image.view.format, colorimetry: image.view.colorimetry)
    }

    /// Returns the sample index of a pixel position along one direction.
    static func index(ofPixel position: Double, shift: Int, cosited: Bool) -> Double {
        let pixels = Double(1 << shift)
        return cosited ? (position - 0.5) / pixels : position / pixels - 0.5
    }

    /// Returns a component at a pixel position, averaged over boxes of `boxWidth` x `boxHeight` pixels, but
    /// over at least one sample.
    func component(_ index: Int, x: Double, y: Double, boxWidth: Double, boxHeight: Double) -> Double {
        let part = image.view.format.layout.component(index)
        let site = image.view.colorimetry.chromaSite
        let columns = weights(
            around: Self.index(ofPixel: x, shift: part.widthShift, cosited: site.cositedHorizontally),
            width: max(1, boxWidth / Double(1 << part.widthShift)), count: part.sampleWidth(image.view.width))
        let rows = weights(
            around: Self.index(ofPixel: y, shift: part.heightShift, cosited: site.cositedVertically),
            width: max(1, boxHeight / Double(1 << part.heightShift)),
            count: part.sampleHeight(image.view.height))
        var sum = 0.0
        for (row, rowWeight) in rows {
            for (column, columnWeight) in columns {
                let isInside = row != nil && column != nil
                let value = isInside ? Double(image[index, column ?? 0, row ?? 0]) : color.black(index)
                sum += value * rowWeight * columnWeight
            }
        }
        return sum
    }

    /// Returns the cells that a box touches and their fractions; nil stands for outside.
    private func weights(around position: Double, width: Double, count: Int) -> [(Int?, Double)] {
        let (low, high) = (position - width / 2, position + width / 2)
        let first = Int((low + 0.5).rounded(.down))
        let last = Int((high + 0.5).rounded(.down))
        return (first...last).map { cell in
            let share = max(0, min(high, Double(cell) + 0.5) - max(low, Double(cell) - 0.5)) / width
            if border == .replicate { return (min(max(cell, 0), count - 1), share) }
            return ((0..<count).contains(cell) ? cell : nil, share)
        }
    }

    /// Returns R, G, B (0...255) at a pixel position.
    func rgb(x: Double, y: Double, boxWidth: Double = 0, boxHeight: Double = 0) -> [Double] {
        let last = image.view.format.layout.colorCount - 1
        let parts = (0..<3).map {
            component(min($0, last), x: x, y: y, boxWidth: boxWidth, boxHeight: boxHeight)
        }
        return color.rgb(parts[0], parts[1], parts[2])
    }
}
