/// Computes exact squared distances to the nearest seed.
///
/// The method is the lower envelope of parabolas, first along the columns, then along the rows (Felzenszwalb
/// and Huttenlocher 2012).
final class DistanceTransform {
    private let line = ScratchBuffer<Float>()
    private let vertices = ScratchBuffer<Int>()
    private let bounds = ScratchBuffer<Float>()

    /// Replaces seeds, which are small squared distances, and infinity elsewhere, by squared distances.
    ///
    /// - Parameter spacing: distance between neighbours in a row and in a column.
    func transform(
        _ values: UnsafeMutablePointer<Float>, width: Int, height: Int, spacing: (x: Float, y: Float)
    ) {
        let longest = max(width, height)
        line.reserve(longest)
        vertices.reserve(longest)
        bounds.reserve(longest)
        for x in 0..<width { transformLine(values + x, step: width, count: height, spacing: spacing.y) }
        for y in 0..<height { transformLine(values + y * width, step: 1, count: width, spacing: spacing.x) }
    }

    private func transformLine(
        _ values: UnsafeMutablePointer<Float>, step: Int, count: Int, spacing: Float
    ) {
        let (line, unit) = (line.base, spacing * spacing)
        for i in 0..<count { line[i] = values[i * step] / unit }
        let parabolas = findEnvelope(count: count)
        guard parabolas > 0 else { return }
        var current = 0
        for i in 0..<count {
            while current + 1 < parabolas, bounds.base[current + 1] < Float(i) { current += 1 }
            let vertex = vertices.base[current]
            let distance = Float(i - vertex)
            values[i * step] = (distance * distance + line[vertex]) * unit
        }
    }

    /// Finds the parabolas of the envelope, and the start of each; returns their number.
    private func findEnvelope(count: Int) -> Int {
        let (line, vertices, bounds) = (line.base, vertices.base, bounds.base)
        var last = -1
        for i in 0..<count where line[i] < .infinity {
            var start = -Float.infinity
            while last >= 0 {
                start = crossing(vertices[last], i)
                if start > bounds[last] { break }
                last -= 1
            }
            last += 1
            vertices[last] = i
            bounds[last] = last == 0 ? -.infinity : start
        }
        return last + 1
    }

    /// Returns the position from which on the right parabola is the lower one.
    private func crossing(_ left: Int, _ right: Int) -> Float {
        let slope = (line.base[right] - line.base[left]) / Float(right - left)
        return (slope + Float(left + right)) / 2
    }
}

/// Replaces values without a label by the label of the nearest value with one.
///
/// The distance is the larger of the distances along rows and along columns. Two passes over the image, which
/// pass labels on from neighbours, find the nearest label exactly (Rosenfeld and Pfaltz, "Sequential
/// operations in digital picture processing", 1966).
package final class NearestLabel {
    private let distances = FloatImage()

    /// Creates a filter without scratch memory.
    package init() {}

    /// Replaces negative values of `labels` by the nearest value that is not negative; without any they stay.
    package func spread(_ labels: FloatImage) {
        let (width, height) = (labels.width, labels.height)
        distances.resize(width: width, height: height)
        for i in 0..<labels.count { distances.base[i] = labels.base[i] < 0 ? .infinity : 0 }
        for y in 0..<height {
            if y > 0 { takeFromRow(y - 1, into: y, labels) }
            for x in stride(from: 1, to: width, by: 1) { take(from: x - 1, into: x, row: y, labels) }
        }
        for y in (0..<height).reversed() {
            if y + 1 < height { takeFromRow(y + 1, into: y, labels) }
            for x in stride(from: width - 2, through: 0, by: -1) {
                take(from: x + 1, into: x, row: y, labels)
            }
        }
    }

    /// Takes labels of the three neighbours in another row.
    private func takeFromRow(_ source: Int, into y: Int, _ labels: FloatImage) {
        let (from, to) = (distances.row(source), distances.row(y))
        let (given, taken) = (labels.row(source), labels.row(y))
        for x in 0..<labels.width {
            for neighbour in max(0, x - 1)...min(labels.width - 1, x + 1) where from[neighbour] + 1 < to[x] {
                (to[x], taken[x]) = (from[neighbour] + 1, given[neighbour])
            }
        }
    }

    /// Takes the label of a neighbour in the same row.
    private func take(from neighbour: Int, into x: Int, row y: Int, _ labels: FloatImage) {
        let (distances, labels) = (distances.row(y), labels.row(y))
        guard distances[neighbour] + 1 < distances[x] else { return }
        (distances[x], labels[x]) = (distances[neighbour] + 1, labels[neighbour])
    }
}
