/// Dilation and erosion by a square window.
///
/// Both are separable, along rows and then along columns. Windows are built by doubling (the extremes of two
/// windows side by side are those of a window twice as wide). The cost therefore grows with the logarithm of
/// the radius, and the compiler vectorizes every loop. Windows are cut off at the image's edges.
///
/// Source: van Herk, "A fast algorithm for local minimum and maximum filters", 1992, for the separation;
/// doubling takes more comparisons than van Herk's scheme, but none that depend on each other.
package final class MorphologyFilter {
    private let line = ScratchBuffer<Float>()
    private let nextLine = ScratchBuffer<Float>()
    private let columns = FloatImage()

    /// Creates a filter without scratch memory.
    package init() {}

    /// Replaces each value by the largest within `radius` values along rows and columns.
    ///
    /// - Parameters:
    ///   - image: the values, none of them NaN.
    ///   - radius: the window is 2 `radius` + 1 values wide and high; 0 and less change nothing.
    package func dilate(_ image: FloatImage, radius: Int) { apply(Largest.self, to: image, radius) }

    /// Replaces each value by the smallest within `radius` values along rows and columns.
    ///
    /// - Parameters:
    ///   - image: the values, none of them NaN.
    ///   - radius: the window is 2 `radius` + 1 values wide and high; 0 and less change nothing.
    package func erode(_ image: FloatImage, radius: Int) { apply(Smallest.self, to: image, radius) }

    private func apply<Choice: Extreme>(_ choice: Choice.Type, to image: FloatImage, _ radius: Int) {
        guard radius > 0 else { return }
        alongRows(choice, image, min(radius, image.width))
        alongColumns(choice, image, min(radius, image.height))
    }

    private func alongRows<Choice: Extreme>(_: Choice.Type, _ image: FloatImage, _ radius: Int) {
        let (width, window) = (image.width, 2 * radius + 1)
        // The line is padded by as many values as the last step reads.
        let padded = width + 2 * window
        line.reserve(padded)
        nextLine.reserve(padded)
        for y in 0..<image.height {
            var (line, next) = (line.base, nextLine.base)
            line.update(repeating: Choice.identity, count: padded)
            (line + radius).update(from: image.row(y), count: width)
            var covered = 1
            while covered < window {
                let step = min(covered, window - covered)
                Self.combine(Choice.self, line, line + step, into: next, count: width + window)
                swap(&line, &next)
                covered += step
            }
            image.row(y).update(from: line, count: width)
        }
    }

    private func alongColumns<Choice: Extreme>(_: Choice.Type, _ image: FloatImage, _ radius: Int) {
        let (width, height, window) = (image.width, image.height, 2 * radius + 1)
        columns.resize(width: width, height: height + 2 * radius)
        columns.fill(Choice.identity)
        columns.row(radius).update(from: image.base, count: image.count)
        var covered = 1
        while covered < window {
            let step = min(covered, window - covered)
            for y in 0..<(columns.height - step) {
                let row = columns.row(y)
                Self.combine(Choice.self, row, columns.row(y + step), into: row, count: width)
            }
            covered += step
        }
        image.base.update(from: columns.base, count: image.count)
    }

    @inline(__always)
    private static func combine<Choice: Extreme>(
        _: Choice.Type, _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>,
        into target: UnsafeMutablePointer<Float>, count: Int
    ) {
        for i in 0..<count { target[i] = Choice.of(one[i], other[i]) }
    }
}

/// The choice between two values of a window.
private protocol Extreme {
    /// The value that is never chosen; it fills the places outside the image.
    static var identity: Float { get }
    static func of(_ one: Float, _ other: Float) -> Float
}

private enum Largest: Extreme {
    static var identity: Float { -.infinity }
    @inline(__always) static func of(_ one: Float, _ other: Float) -> Float { max(one, other) }
}

private enum Smallest: Extreme {
    static var identity: Float { .infinity }
    @inline(__always) static func of(_ one: Float, _ other: Float) -> Float { min(one, other) }
}
