/// Copies the colours of a stream's images into a format of 8 bits with alpha.
///
/// Use one object per stream: it keeps a scratch row.
package final class ColorCopy {
    private let sums = ScratchBuffer<UInt32>()

    /// Creates a copier without scratch memory.
    package init() {}

    /// Copies the colours of `image`, and makes all of `target` opaque.
    ///
    /// Chroma that the target's format stores at fewer positions is averaged over the positions that share one.
    /// Deeper samples lose their lower bits. Grey becomes Y'CbCr without colour.
    ///
    /// - Returns: false, with the target undefined, where sizes or colour models differ, or the target's format
    ///   has more chroma or more bits.
    package func copy(_ image: ImageView, to target: MutableImageView) -> Bool {
        let (from, to) = (image.format.layout, target.format.layout)
        guard image.width == target.width, image.height == target.height, to.bytesPerSample == 1,
            from.model == to.model || from.model == .gray && to.model == .yuv
        else { return false }
        for index in 0..<to.colorCount {
            let part = to.component(index)
            if index > 0, from.model == .gray {
                target.fill(part, with: 128)
            } else if !copy(from.component(index), of: image, to: part, of: target) {
                return false
            }
        }
        if let alpha = to.alpha { target.fill(alpha, with: .max) }
        return true
    }

    private func copy(
        _ source: ComponentLayout, of image: ImageView, to part: ComponentLayout, of target: MutableImageView
    ) -> Bool {
        let merged = (
            columns: part.widthShift - source.widthShift, rows: part.heightShift - source.heightShift
        )
        guard merged.columns >= 0, merged.rows >= 0 else { return false }
        let layout = image.format.layout
        let path = Path(
            source: source, target: part, columnShift: merged.columns, rowShift: merged.rows,
            excess: layout.shift + layout.depth - 8)
        if layout.bytesPerSample == 2 {
            average(UInt16.self, path, of: image, to: target)
        } else if merged == (0, 0) {
            Self.copyRows(path, of: image, to: target)
        } else {
            average(UInt8.self, path, of: image, to: target)
        }
        return true
    }

    private struct Path {
        let source: ComponentLayout
        let target: ComponentLayout
        /// log2 of the source's samples that share one of the target's, along each axis.
        let columnShift: Int
        let rowShift: Int
        /// Number of bits of a source's sample below the upper eight.
        let excess: Int
    }

    private static func copyRows(_ path: Path, of image: ImageView, to target: MutableImageView) {
        let (from, to) = (path.source.step, path.target.step)
        let columns = path.target.sampleWidth(target.width)
        for y in 0..<path.target.sampleHeight(target.height) {
            let source = image.plane(path.source.plane).row(y) + path.source.first
            let row = target.plane(path.target.plane).row(y) + path.target.first
            switch (from, to) {
            case (1, 1): row.update(from: source, count: columns)
            // The compiler makes better code of a constant.
            case (2, 1): for x in 0..<columns { row[x] = source[2 &* x] }
            case (4, 4): for x in 0..<columns { row[4 &* x] = source[4 &* x] }
            default: for x in 0..<columns { row[x &* to] = source[x &* from] }
            }
        }
    }

    private func average<Sample: PixelSample>(
        _: Sample.Type, _ path: Path, of image: ImageView, to target: MutableImageView
    ) {
        let (columns, rows) = (
            path.target.sampleWidth(target.width), path.target.sampleHeight(target.height)
        )
        let last = (
            x: path.source.sampleWidth(target.width) - 1, y: path.source.sampleHeight(target.height) - 1
        )
        let sum = sums.reserve(columns)
        let shift = UInt32(path.columnShift + path.rowShift + path.excess)
        let half: UInt32 = shift > UInt32(path.excess) ? 1 << (shift - 1) : 0
        for y in 0..<rows {
            sum.update(repeating: half, count: columns)
            for extra in 0..<1 << path.rowShift {
                let row = min(y << path.rowShift + extra, last.y)
                let samples: UnsafePointer<Sample> =
                    image.plane(path.source.plane).samples(row) + path.source.first
                Self.add(samples, path, last.x, columns, to: sum)
            }
            let row = target.plane(path.target.plane).row(y) + path.target.first
            let step = path.target.step
            for x in 0..<columns { row[x &* step] = UInt8(truncatingIfNeeded: sum[x] &>> shift) }
        }
    }

    private static func add<Sample: PixelSample>(
        _ samples: UnsafePointer<Sample>, _ path: Path, _ last: Int, _ columns: Int,
        to sum: UnsafeMutablePointer<UInt32>
    ) {
        let step = path.source.step
        guard path.columnShift > 0 else {
            for x in 0..<columns { sum[x] &+= UInt32(truncatingIfNeeded: samples[x &* step]) }
            return
        }
        for x in 0..<columns {
            for extra in 0..<1 << path.columnShift {
                let column = min(x << path.columnShift + extra, last)
                sum[x] &+= UInt32(truncatingIfNeeded: samples[column &* step])
            }
        }
    }
}

extension MutableImageView {
    fileprivate func fill(_ part: ComponentLayout, with value: UInt8) {
        let (columns, rows) = (part.sampleWidth(width), part.sampleHeight(height))
        for y in 0..<rows {
            let row = plane(part.plane).row(y) + part.first
            if part.step == 1 {
                row.update(repeating: value, count: columns)
            } else {
                for x in 0..<columns { row[x &* part.step] = value }
            }
        }
    }
}
