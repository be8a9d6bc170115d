extension MutableImageView {
    /// Returns a part of the image, in the same memory; nil if it is not inside.
    ///
    /// Chroma samples belong to one part only: the part begins at the nearest pixel on the left and above that does
    /// not share its chroma with the one before.
    package func part(_ rect: PixelRect) -> MutableImageView? {
        let layout = format.layout
        var (across, down) = (0, 0)
        for index in 0..<layout.colorCount {
            across = max(across, layout.component(index).widthShift)
            down = max(down, layout.component(index).heightShift)
        }
        let (x, y) = ((rect.x >> across) << across, (rect.y >> down) << down)
        guard x >= 0, y >= 0, rect.width <= width - x, rect.height <= height - y else { return nil }
        func part(_ index: Int) -> (plane: MutablePlane, bytes: Int) {
            let (whole, rows) = (plane(index), layout.rows(plane: index, height: rect.height))
            let corner =
                layout.bytes(plane: index, before: x) + y >> layout.heightShift(plane: index) * whole.stride
            let bytes = whole.stride * (rows - 1) + layout.rowBytes(plane: index, width: rect.width)
            return (MutablePlane(base: whole.base + corner, stride: whole.stride), bytes)
        }
        let (first, second, third, fourth) = (part(0), part(1), part(2), part(3))
        return MutableImageView(
            format: format, width: rect.width, height: rect.height, colorimetry: colorimetry,
            planes: (first.plane, second.plane, third.plane, fourth.plane),
            byteCounts: (first.bytes, second.bytes, third.bytes, fourth.bytes))
    }

    /// Copies the pixels of an image of the same format and size.
    package func copyRows(of image: ImageView) {
        let layout = format.layout
        for index in 0..<layout.planeCount {
            let bytes = layout.rowBytes(plane: index, width: min(width, image.width))
            for y in 0..<layout.rows(plane: index, height: min(height, image.height)) {
                plane(index).row(y).update(from: image.plane(index).row(y), count: bytes)
            }
        }
    }
}
