/// Computes means over square windows; windows are cut off at the edges.
///
/// It keeps running sums down the columns. Along the rows, sums over 1, 2, 4... values are combined to the
/// window's width. The compiler vectorizes all of it.
package final class BoxMean {
    private let sums = ScratchBuffer<Float>()
    private let padded = ScratchBuffer<Float>()
    private let shares = ScratchBuffer<Float>()

    /// Creates a filter without scratch memory.
    package init() {}

    /// Writes the means of the windows of 2 `radius` + 1 pixels around each pixel.
    ///
    /// - Parameters:
    ///   - source: `width` x `height` values.
    ///   - target: memory for as many values, other than that of `source`.
    package func apply(
        _ source: UnsafePointer<Float>, width: Int, height: Int, radius: Int,
        into target: UnsafeMutablePointer<Float>
    ) {
        let sums = sums.reserve(width)
        sums.update(repeating: 0, count: width)
        prepare(width: width, radius: radius)
        for y in 0..<min(radius, height) { Self.add(source + y * width, to: sums, count: width) }
        for y in 0..<height {
            if y + radius < height { Self.add(source + (y + radius) * width, to: sums, count: width) }
            if y > radius { Self.subtract(source + (y - radius - 1) * width, from: sums, count: width) }
            let rows = min(y + radius, height - 1) - max(y - radius, 0) + 1
            sumAlong(radius: radius, count: width, rows: rows, into: target + y * width)
        }
    }

    /// Reserves memory and computes the share of each value in its window.
    private func prepare(width: Int, radius: Int) {
        padded.reserve(width + 2 * radius)
        let shares = shares.reserve(width)
        for x in 0..<width {
            shares[x] = 1 / Float(min(x + radius, width - 1) - max(x - radius, 0) + 1)
        }
    }

    private func sumAlong(
        radius: Int, count: Int, rows: Int, into target: UnsafeMutablePointer<Float>
    ) {
        let (padded, shares, window) = (padded.base, shares.base, 2 * radius + 1)
        let paddedCount = count + 2 * radius
        padded.update(repeating: 0, count: radius)
        (padded + radius).update(from: sums.base, count: count)
        (padded + radius + count).update(repeating: 0, count: radius)
        if radius == 1 { return Self.sumThree(padded, shares, 1 / Float(rows), into: target, count: count) }
        target.update(from: padded, count: count)
        // The window is odd: its first value is included; the rest consists of even powers of two.
        var (covered, power) = (1, 1)
        while covered < window {
            for i in 0..<max(0, paddedCount - power) { padded[i] += padded[i &+ power] }
            power *= 2
            guard window & power != 0 else { continue }
            Self.add(padded + covered, to: target, count: count)
            covered += power
        }
        let share = 1 / Float(rows)
        for x in 0..<count { target[x] *= shares[x] * share }
    }

    /// Sums three values in one pass, the usual case.
    private static func sumThree(
        _ padded: UnsafePointer<Float>, _ shares: UnsafePointer<Float>, _ share: Float,
        into target: UnsafeMutablePointer<Float>, count: Int
    ) {
        for x in 0..<count {
            target[x] = (padded[x] + padded[x &+ 1] + padded[x &+ 2]) * (shares[x] * share)
        }
    }

    private static func add(
        _ row: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>, count: Int
    ) {
        for x in 0..<count { sums[x] += row[x] }
    }

    private static func subtract(
        _ row: UnsafePointer<Float>, from sums: UnsafeMutablePointer<Float>, count: Int
    ) {
        for x in 0..<count { sums[x] -= row[x] }
    }
}
