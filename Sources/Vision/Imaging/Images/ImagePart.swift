extension MutableImageView {
    /// Returns a part of the image, in the same memory; nil if it is not inside.
    ///
    /// Chroma samples belong to one part only: the part begins at the nearest pixel on the left and above that does
    /// not share its chroma with the one before.
    package func part(_ rect: PixelRect) -> MutableImageView? {
        let layout = format.layout
        let shared = layout.sharedShifts
        let (x, y) = ((rect.x >> shared.width) << shared.width, (rect.y >> shared.height) << shared.height)
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

    /// Copies the pixels of an image of the same format; does nothing for another format or size.
    package func copyRows(of image: ImageView) {
        guard (format, width, height) == (image.format, image.width, image.height) else { return }
        for index in 0..<format.layout.planeCount { image.copyRows(ofPlane: index, to: plane(index)) }
    }
}
