/// The connected components of the values above a level in an image; neighbours touch by an edge or a corner.
///
/// Runs of values along rows are joined in a union-find forest, so that the cost depends on the number of
/// runs far more than on the number of values.
package final class ConnectedComponents {
    /// A connected component; sizes and positions are in values of the image.
    package struct Component: BitwiseCopyable {
        /// Number of values; 0 for a component whose peak is too low.
        package fileprivate(set) var area: Int
        fileprivate var peak: Float
        /// Sum of another image's values over the component; 0 until `measure(_:)`.
        package fileprivate(set) var sum: Float = 0
        /// The first column of the component.
        package fileprivate(set) var left: Int
        /// One past the last column of the component.
        package fileprivate(set) var right: Int
        /// The first row of the component.
        package fileprivate(set) var top: Int
        /// One past the last row of the component.
        package fileprivate(set) var bottom: Int
        /// Index of the parent in the union-find forest; a root is its own parent.
        fileprivate var parent: Int

        /// A number that distinguishes the component from the others of the same image.
        package var id: Int { parent }

        /// Adds the area, peak and bounds of `other`.
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

    /// Maximum number of runs per row of the image; more are left out, which bounds memory and time.
    ///
    /// Masks of people have a few; only noise has more.
    private static let runsPerRow = 38
    /// Maximum number of runs of the current image; more are left out.
    private var maximumRuns = 0

    private let runs = ScratchBuffer<Run>()
    private let components = ScratchBuffer<Component>()
    private var runCount = 0
    private let near = ScratchBuffer<UInt8>()
    private let counts = ScratchBuffer<Int32>()

    /// Creates an object without components.
    package init() {}

    /// Finds the components of `image` that are above `level` everywhere and above `peak` somewhere.
    ///
    /// A NaN belongs to no component.
    package func find(in image: FloatImage, above level: Float, reaching peak: Float = 0) {
        runCount = 0
        maximumRuns = Self.runsPerRow * image.height
        runs.reserve(maximumRuns)
        components.reserve(maximumRuns)
        var previousRow = 0..<0
        for y in 0..<image.height {
            let first = runCount
            addRuns(of: image.row(y), count: image.width, row: y, above: level)
            connect(first..<runCount, to: previousRow)
            previousRow = first..<runCount
        }
        for index in 0..<runCount where components.base[index].parent != index {
            let root = root(of: index)
            components.base[root].merge(components.base[index])
            components.base[index].parent = root
        }
        for index in 0..<runCount where isRoot(index) && !(components.base[index].peak > peak) {
            components.base[index].area = 0
        }
    }

    /// Whether no value is above the level, whatever the peaks.
    package var isEmpty: Bool { runCount == 0 }

    /// Area of the largest component; 0 if there is none.
    package var largestArea: Int {
        var largest = 0
        for index in 0..<runCount where isRoot(index) { largest = max(largest, components.base[index].area) }
        return largest
    }

    /// Calls `body` with each component.
    package func forEach(_ body: (Component) -> Void) {
        for index in 0..<runCount where isRoot(index) && components.base[index].area > 0 {
            body(components.base[index])
        }
    }

    /// Sums the values of `image`, which has the size of the searched image, over each component.
    package func measure(_ image: FloatImage) {
        for index in 0..<runCount { components.base[index].sum = 0 }
        for index in 0..<runCount {
            let (run, root) = (runs.base[index], root(of: index))
            let row = image.row(Int(run.row))
            for x in Int(run.start)..<Int(run.end) { components.base[root].sum += row[x] }
        }
    }

    /// Sets the values of each component in `image`, which has the size of the searched image, to `value`;
    /// nil leaves them.
    package func paint(on image: FloatImage, _ value: (Component) -> Float?) {
        for index in 0..<runCount {
            let run = runs.base[index]
            guard let value = value(components.base[root(of: index)]) else { continue }
            (image.row(Int(run.row)) + Int(run.start)).update(
                repeating: value, count: Int(run.end - run.start))
        }
    }

    /// Clears values farther than `distance` (along rows and along columns) from every component for which
    /// `isKept` is true; without any component nothing is cleared.
    ///
    /// - Parameter image: an image of the size of the searched image.
    package func keep(distance: Int, in image: FloatImage, where isKept: (Component) -> Bool) {
        guard runCount > 0 else { return }
        let near = near.reserve(image.count)
        near.update(repeating: 0, count: image.count)
        for index in 0..<runCount where isKept(components.base[root(of: index)]) {
            let run = runs.base[index]
            let start = max(0, Int(run.start) - distance)
            let end = min(image.width, Int(run.end) + distance)
            (near + Int(run.row) * image.width + start).update(repeating: 1, count: end - start)
        }
        clearFarRows(image, distance: distance)
    }

    /// Clears rows; `near` is already widened along rows, and running counts widen it along columns.
    private func clearFarRows(_ image: FloatImage, distance: Int) {
        let (near, width) = (near.base, image.width)
        let counts = counts.reserve(width)
        counts.update(repeating: 0, count: width)
        for y in 0..<min(distance, image.height) { count(near + y * width, into: counts, 1, width) }
        for y in 0..<image.height {
            if y + distance < image.height { count(near + (y + distance) * width, into: counts, 1, width) }
            if y > distance { count(near + (y - distance - 1) * width, into: counts, -1, width) }
            let row = image.row(y)
            for x in 0..<width { row[x] = counts[x] > 0 ? row[x] : 0 }
        }
    }

    private func count(
        _ row: UnsafePointer<UInt8>, into counts: UnsafeMutablePointer<Int32>, _ weight: Int32, _ width: Int
    ) {
        for x in 0..<width { counts[x] &+= weight &* Int32(row[x]) }
    }

    private func addRuns(of values: UnsafePointer<Float>, count: Int, row: Int, above level: Float) {
        var x = 0
        while x < count, runCount < maximumRuns {
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
            components.base[runCount] = Component(
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
        components.base[max(a, b)].parent = min(a, b)
    }

    private func root(of index: Int) -> Int {
        var index = index
        while components.base[index].parent != index {
            components.base[index].parent = components.base[components.base[index].parent].parent
            index = components.base[index].parent
        }
        return index
    }

    private func isRoot(_ index: Int) -> Bool { components.base[index].parent == index }
}

/// Finds holes: small areas of low coverage that lie within a region.
///
/// A hole is a connected component (neighbours by an edge or a corner). It may touch the edge of the image,
/// because the region is assumed to continue there.
package final class HoleFilter {
    private let components = ConnectedComponents()
    private let gaps = FloatImage()
    private let holes = FloatImage()

    /// The definition of a hole.
    package struct Limits: Equatable, Sendable {
        /// Maximum coverage in a hole, 0...1.
        let level: Float
        /// Maximum area of a hole, as a share of the image.
        let largest: Double
        /// Minimum mean of the region over a hole, 0...1.
        let within: Float

        package init(level: Float, largest: Double, within: Float) {
            (self.level, self.largest, self.within) = (level, largest, within)
        }
    }

    /// Creates a filter without scratch memory.
    package init() {}

    /// Raises `floor` to `region` in the holes of `mask`; all images have one size.
    ///
    /// - Parameters:
    ///   - mask: coverage from 0 to 1.
    ///   - region: coverage from 0 to 1 of the region without holes.
    package func raise(
        _ floor: FloatImage, inHolesOf mask: FloatImage, within region: FloatImage, _ limits: Limits
    ) {
        gaps.resize(width: mask.width, height: mask.height)
        holes.resize(width: mask.width, height: mask.height)
        let (lack, values, count) = (gaps.base, mask.base, mask.count)
        for i in 0..<count { lack[i] = limits.level - values[i] }
        components.find(in: gaps, above: 0)
        components.measure(region)
        holes.fill(0)
        let largest = limits.largest * Double(count)
        components.paint(on: holes) { hole in
            Double(hole.area) <= largest && hole.sum > limits.within * Float(hole.area) ? 1 : nil
        }
        holes.multiply(region)
        for y in 0..<floor.height { floor.raise(row: y, to: holes.row(y)) }
    }
}
