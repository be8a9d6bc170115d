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
