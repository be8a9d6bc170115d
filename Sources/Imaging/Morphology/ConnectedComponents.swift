/// The connected parts of a mask: what lies together, by rows and columns.
///
/// Found by runs of pixels, so that the cost hardly depends on how many pixels a part has.
package final class ConnectedComponents {
    /// A connected part.
    package struct Component: BitwiseCopyable {
        /// Pixels above the level; 0 for a part that is too faint.
        package fileprivate(set) var area: Int
        fileprivate var peak: Float
        /// Sum of another mask's values over the part; 0 until `measure(_:)`.
        package fileprivate(set) var sum: Float = 0
        /// Columns that the part reaches over.
        package fileprivate(set) var left: Int
        /// One past the last column.
        package fileprivate(set) var right: Int
        /// Rows that the part reaches over.
        package fileprivate(set) var top: Int
        /// One past the last row.
        package fileprivate(set) var bottom: Int
        fileprivate var parent: Int

        /// Takes `other` in.
        fileprivate mutating func merge(_ other: Component) {
            area += other.area
            peak = max(peak, other.peak)
            (left, right) = (min(left, other.left), max(right, other.right))
            (top, bottom) = (min(top, other.top), max(bottom, other.bottom))
        }
    }

    private struct Run: BitwiseCopyable {
        let start: Int32
        let end: Int32
        let row: Int32
    }

    /// More runs than this are no people; the rest of such a mask is left out.
    private static let mostRuns = 1 << 14

    private let runs = ScratchBuffer<Run>()
    private let parts = ScratchBuffer<Component>()
    private var runCount = 0
    private let near = ScratchBuffer<UInt8>()
    private let votes = ScratchBuffer<Int32>()

    /// No parts yet.
    package init() {
        runs.reserve(Self.mostRuns)
        parts.reserve(Self.mostRuns)
    }

    /// Finds the parts of `mask` that are above `level` everywhere, and above `peak` somewhere.
    package func find(in mask: FloatImage, above level: Float, reaching peak: Float = 0) {
        runCount = 0
        var previousRow = 0..<0
        for y in 0..<mask.height {
            let first = runCount
            addRuns(of: mask.row(y), count: mask.width, row: y, above: level)
            connect(first..<runCount, to: previousRow)
            previousRow = first..<runCount
        }
        for index in 0..<runCount where parts.base[index].parent != index {
            let root = root(of: index)
            parts.base[root].merge(parts.base[index])
            parts.base[index].parent = root
        }
        for index in 0..<runCount where isRoot(index) && !(parts.base[index].peak > peak) {
            parts.base[index].area = 0
        }
    }

    /// Area of the largest part; 0 without any.
    package var largestArea: Int {
        var largest = 0
        for index in 0..<runCount where isRoot(index) { largest = max(largest, parts.base[index].area) }
        return largest
    }

    /// Calls `body` with each part.
    package func forEach(_ body: (Component) -> Void) {
        for index in 0..<runCount where isRoot(index) && parts.base[index].area > 0 {
            body(parts.base[index])
        }
    }

    /// Sums up `mask`, of the same size as the one that the parts were found in, over each part.
    package func measure(_ mask: FloatImage) {
        for index in 0..<runCount { parts.base[index].sum = 0 }
        for index in 0..<runCount {
            let (run, root) = (runs.base[index], root(of: index))
            let row = mask.row(Int(run.row))
            for x in Int(run.start)..<Int(run.end) { parts.base[root].sum += row[x] }
        }
    }

    /// Makes `mask`, of the same size, `value` on each component; nil leaves a component as it is.
    package func paint(on mask: FloatImage, _ value: (Component) -> Float?) {
        for index in 0..<runCount {
            let run = runs.base[index]
            guard let value = value(parts.base[root(of: index)]) else { continue }
            (mask.row(Int(run.row)) + Int(run.start)).update(
                repeating: value, count: Int(run.end - run.start))
        }
    }

    /// Clears what lies farther than `distance` pixels (along rows or columns) from every part that
    /// `isKept` approves; a mask without any part is left as it is.
    package func keep(distance: Int, in mask: FloatImage, where isKept: (Component) -> Bool) {
        guard runCount > 0 else { return }
        let near = near.reserve(mask.count)
        near.update(repeating: 0, count: mask.count)
        for index in 0..<runCount where isKept(parts.base[root(of: index)]) {
            let run = runs.base[index]
            let start = max(0, Int(run.start) - distance)
            let end = min(mask.width, Int(run.end) + distance)
            (near + Int(run.row) * mask.width + start).update(repeating: 1, count: end - start)
        }
        clearFarRows(mask, distance: distance)
    }

    private func clearFarRows(_ mask: FloatImage, distance: Int) {
        let (near, width) = (near.base, mask.width)
        let votes = votes.reserve(width)
        votes.update(repeating: 0, count: width)
        for y in 0..<min(distance, mask.height) { count(near + y * width, into: votes, 1, width) }
        for y in 0..<mask.height {
            if y + distance < mask.height { count(near + (y + distance) * width, into: votes, 1, width) }
            if y > distance { count(near + (y - distance - 1) * width, into: votes, -1, width) }
            let row = mask.row(y)
            for x in 0..<width { row[x] = votes[x] > 0 ? row[x] : 0 }
        }
    }

    private func count(
        _ row: UnsafePointer<UInt8>, into votes: UnsafeMutablePointer<Int32>, _ weight: Int32, _ width: Int
    ) {
        for x in 0..<width { votes[x] &+= weight &* Int32(row[x]) }
    }

    private func addRuns(of values: UnsafePointer<Float>, count: Int, row: Int, above level: Float) {
        var x = 0
        while x < count, runCount < Self.mostRuns {
            while x < count, !(values[x] > level) { x += 1 }
            guard x < count else { return }
            let start = x
            var peak = level
            while x < count, values[x] > level {
                peak = max(peak, values[x])
                x += 1
            }
            runs.base[runCount] = Run(
                start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: x),
                row: Int32(truncatingIfNeeded: row))
            parts.base[runCount] = Component(
                area: x - start, peak: peak, left: start, right: x, top: row, bottom: row + 1,
                parent: runCount)
            runCount += 1
        }
    }

    /// Joins runs of neighbouring rows that touch, by an edge or a corner.
    private func connect(_ lower: Range<Int>, to upper: Range<Int>) {
        var candidate = upper.lowerBound
        for index in lower {
            let run = runs.base[index]
            while candidate < upper.upperBound, runs.base[candidate].end < run.start { candidate += 1 }
            var other = candidate
            while other < upper.upperBound, runs.base[other].start <= run.end {
                join(index, other)
                other += 1
            }
        }
    }

    private func join(_ one: Int, _ other: Int) {
        let (a, b) = (root(of: one), root(of: other))
        parts.base[max(a, b)].parent = min(a, b)
    }

    private func root(of index: Int) -> Int {
        var index = index
        while parts.base[index].parent != index {
            parts.base[index].parent = parts.base[parts.base[index].parent].parent
            index = parts.base[index].parent
        }
        return index
    }

    private func isRoot(_ index: Int) -> Bool { parts.base[index].parent == index }
}
