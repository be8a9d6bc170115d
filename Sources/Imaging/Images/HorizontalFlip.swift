extension MutableImageView {
    /// Exchanges left and right in place, in the picture's own format.
    ///
    /// Chroma samples stay where they are among the luma samples that share them.
    public func flipHorizontally() {
        if format.layout.bytesPerSample == 1 { flip(UInt8.self) } else { flip(UInt16.self) }
    }

    private func flip<Sample: PixelSample>(_: Sample.Type) {
        let layout = format.layout
        for index in 0..<layout.partCount {
            let part = layout.part(index)
            let last = part.first + (part.sampleWidth(width) - 1) * part.step
            for y in 0..<part.sampleHeight(height) {
                let row: UnsafeMutablePointer<Sample> = plane(part.plane).samples(y)
                var (left, right) = (part.first, last)
                while left < right {
                    (row[left], row[right]) = (row[right], row[left])
                    left += part.step
                    right -= part.step
                }
            }
        }
    }
}
