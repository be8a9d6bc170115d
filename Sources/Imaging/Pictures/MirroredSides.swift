extension MutableImageView {
    /// Exchanges left and right in place, in the picture's own format.
    ///
    /// Chroma samples stay where they are among the luma samples that share them.
    public func exchangeSides() {
        let layout = format.layout
        for index in 0..<layout.colorCount {
            exchangeSides(of: layout.component(index), 1)
        }
        if let alpha = layout.alpha { exchangeSides(of: alpha, 1) }
    }

    private func exchangeSides(of component: ComponentLayout, _ bytesPerSample: Int) {
        let (columns, rows) = (component.sampleWidth(width), component.sampleHeight(height))
        let step = component.pixelStride
        for y in 0..<rows {
            let row = plane(component.plane).row(y) + component.offset
            var (left, right) = (0, (columns - 1) * step)
            while left < right {
                for byte in 0..<bytesPerSample { swap(&row[left + byte], &row[right + byte]) }
                left += step
                right -= step
            }
        }
    }
}
