/// Means over square windows; windows are cut off at the edges.
///
/// Running sums down the columns; along the rows, sums over 1, 2, 4... values are put together to the
/// window's width. All of it becomes vector code.
package final class BoxMean {
    private let sums = ScratchBuffer<Float>()
    private let padded = ScratchBuffer<Float>()
    private let shares = ScratchBuffer<Float>()

    /// A filter without scratch memory yet.
    package init() {}

    /// Writes the means of the windows of 2 `radius` + 1 pixels around each pixel.
    ///
    /// - Parameters:
    ///   - source: `width` x `height` pixels of `channels` values each.
    ///   - target: as many values, not the same memory.
    package func apply(
        _ source: UnsafePointer<Float>, width: Int, height: Int, channels: Int = 1, radius: Int,
        into target: UnsafeMutablePointer<Float>
    ) {
        let pitch = width * channels
        let sums = sums.reserve(pitch)
        sums.update(repeating: 0, count: pitch)
        prepare(width: width, channels: channels, radius: radius)
        for y in 0..<min(radius, height) { Self.add(source + y * pitch, to: sums, count: pitch) }
        for y in 0..<height {
            if y + radius < height { Self.add(source + (y + radius) * pitch, to: sums, count: pitch) }
            if y > radius { Self.subtract(source + (y - radius - 1) * pitch, from: sums, count: pitch) }
            let rows = min(y + radius, height - 1) - max(y - radius, 0) + 1
            sumAlong(channels: channels, radius: radius, count: pitch, rows: rows, into: target + y * pitch)
        }
    }

    /// Makes room and notes the share of each value in its window.
    private func prepare(width: Int, channels: Int, radius: Int) {
        let pitch = width * channels
        padded.reserve(pitch + 2 * radius * channels)
        let shares = shares.reserve(pitch)
        for x in 0..<width {
            let columns = min(x + radius, width - 1) - max(x - radius, 0) + 1
            for channel in 0..<channels { shares[x * channels + channel] = 1 / Float(columns) }
        }
    }

    private func sumAlong(
        channels: Int, radius: Int, count: Int, rows: Int, into target: UnsafeMutablePointer<Float>
    ) {
        let (padded, shares, window) = (padded.base, shares.base, 2 * radius + 1)
        let paddedCount = count + 2 * radius * channels
        padded.update(repeating: 0, count: radius * channels)
        (padded + radius * channels).update(from: sums.base, count: count)
        (padded + radius * channels + count).update(repeating: 0, count: radius * channels)
        target.update(from: padded, count: count)
        // The window is odd: its first value is in; the rest is made of even powers of two.
        var (covered, power) = (1, 1)
        while covered < window {
            let step = power * channels
            for i in 0..<max(0, paddedCount - step) { padded[i] += padded[i &+ step] }
            power *= 2
            guard window & power != 0 else { continue }
            Self.add(padded + covered * channels, to: target, count: count)
            covered += power
        }
        let share = 1 / Float(rows)
        for x in 0..<count { target[x] *= shares[x] * share }
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
