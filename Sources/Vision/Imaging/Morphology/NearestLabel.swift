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
