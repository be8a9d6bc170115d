extension MutableImageView {
    /// Copies the colours of an image of the same size and makes all of it opaque, in a format of 8 bits with
    /// the same colour model.
    ///
    /// Chroma that this format stores at fewer positions is averaged over the positions that share one. Deeper
    /// samples lose their lower bits. Grey becomes Y'CbCr without colour.
    ///
    /// - Returns: false where sizes or colour models differ, or this format has more chroma or more bits.
    package func copyColors(of image: ImageView) -> Bool {
        let (source, target) = (image.format.layout, format.layout)
        guard image.width == width, image.height == height, target.bytesPerSample == 1,
            source.model == target.model || source.model == .gray && target.model == .yuv
        else { return false }
        for index in 0..<target.colorCount {
            let part = target.component(index)
            if index > 0, source.model == .gray {
                fill(part, with: 128)
            } else if !copy(source.component(index), of: image, to: part) {
                return false
            }
        }
        if let alpha = target.alpha { fill(alpha, with: .max) }
        return true
    }

    private func fill(_ part: ComponentLayout, with value: UInt8) {
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

    private func copy(_ source: ComponentLayout, of image: ImageView, to target: ComponentLayout) -> Bool {
        let merged = (
            columns: target.widthShift - source.widthShift, rows: target.heightShift - source.heightShift
        )
        guard merged.columns >= 0, merged.rows >= 0 else { return false }
        let layout = image.format.layout
        let path = CopyPath(
            source: source, target: target, columnShift: merged.columns, rowShift: merged.rows,
            excess: layout.shift + layout.depth - 8)
        if layout.bytesPerSample == 1 {
            copy(UInt8.self, path, of: image)
        } else {
            copy(UInt16.self, path, of: image)
        }
        return true
    }

    private struct CopyPath {
        let source: ComponentLayout
        let target: ComponentLayout
        /// log2 of the source's samples that share one of the target's, along each axis.
        let columnShift: Int
        let rowShift: Int
        /// Number of bits of a source's sample below the upper eight.
        let excess: Int
    }

    private func copy<Sample: PixelSample>(_: Sample.Type, _ path: CopyPath, of image: ImageView) {
        let (columns, rows) = (path.target.sampleWidth(width), path.target.sampleHeight(height))
        let last = (x: path.source.sampleWidth(width) - 1, y: path.source.sampleHeight(height) - 1)
        let sums = ScratchBuffer<UInt32>()
        let sum = sums.reserve(columns)
        let shift = UInt32(path.columnShift + path.rowShift + path.excess)
        let half: UInt32 = shift > UInt32(path.excess) ? 1 << (shift - 1) : 0
        for y in 0..<rows {
            sum.update(repeating: half, count: columns)
            for extra in 0..<1 << path.rowShift {
                let row = min(y << path.rowShift + extra, last.y)
                let samples: UnsafePointer<Sample> =
                    image.plane(path.source.plane).samples(row) + path.source.first
                add(samples, path, last.x, columns, to: sum)
            }
            let target = plane(path.target.plane).row(y) + path.target.first
            let step = path.target.step
            for x in 0..<columns { target[x &* step] = UInt8(truncatingIfNeeded: sum[x] >> shift) }
        }
    }

    private func add<Sample: PixelSample>(
        _ samples: UnsafePointer<Sample>, _ path: CopyPath, _ last: Int, _ columns: Int,
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
