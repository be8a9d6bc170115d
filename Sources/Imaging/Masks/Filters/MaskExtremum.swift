/// Grows or shrinks a mask: the largest or smallest value within a square window.
///
/// Windows are built by doubling, so the cost grows with the logarithm of their width and all loops
/// become vector code.
package final class MaskExtremum {
    private let line = ScratchBuffer<Float>()
    private let nextLine = ScratchBuffer<Float>()
    private let spare = MaskGrid()

    /// A filter without scratch memory yet.
    package init() {}

    /// Moves the outline of `mask` outwards by `radius` values, or inwards when it is negative.
    package func apply(to mask: MaskGrid, radius: Int) {
        guard radius != 0 else { return }
        let reach = min(abs(radius), max(mask.width, mask.height))
        if radius < 0 { mask.invert() }
        alongRows(mask, reach)
        alongColumns(mask, reach)
        if radius < 0 { mask.invert() }
    }

    /// Outside the mask there is nothing: 0, the smallest value, never wins.
    private func alongRows(_ mask: MaskGrid, _ reach: Int) {
        let (width, window) = (mask.width, 2 * reach + 1)
        let padded = width + 2 * window
        line.reserve(padded)
        nextLine.reserve(padded)
        for y in 0..<mask.height {
            var (line, next) = (line.base, nextLine.base)
            line.update(repeating: 0, count: padded)
            (line + reach).update(from: mask.row(y), count: width)
            var covered = 1
            while covered < window {
                let step = min(covered, window - covered)
                Self.larger(line, line + step, count: width + window, into: next)
                swap(&line, &next)
                covered += step
            }
            mask.row(y).update(from: line, count: width)
        }
    }

    private static func larger(
        _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, count: Int,
        into target: UnsafeMutablePointer<Float>
    ) {
        for x in 0..<count { target[x] = max(one[x], other[x]) }
    }

    private func alongColumns(_ mask: MaskGrid, _ reach: Int) {
        let (width, height, window) = (mask.width, mask.height, 2 * reach + 1)
        spare.resize(width: width, height: height + 2 * reach)
        spare.fill(0)
        spare.row(reach).update(from: mask.base, count: mask.count)
        var covered = 1
        while covered < window {
            let step = min(covered, window - covered)
            for y in 0..<(spare.height - step) {
                let (row, other) = (spare.row(y), spare.row(y + step))
                for x in 0..<width { row[x] = max(row[x], other[x]) }
            }
            covered += step
        }
        mask.base.update(from: spare.base, count: mask.count)
    }
}

extension MaskGrid {
    fileprivate func invert() {
        let (values, count) = (base, count)
        for i in 0..<count { values[i] = 1 - values[i] }
    }
}
