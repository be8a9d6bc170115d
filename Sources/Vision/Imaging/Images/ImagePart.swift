extension MutableImageView {
    /// Returns a part of the image, in the same memory; nil if it is not inside.
    ///
    /// Chroma samples belong to one part only: the part begins at the nearest pixel on the left and above that does
    /// not share its chroma with the one before.
    package func part(_ rect: PixelRect) -> MutableImageView? {
        let layout = format.layout
        let corner = layout.corner(before: rect)
        let moved = PixelRect(x: corner.x, y: corner.y, width: rect.width, height: rect.height)
        guard moved.isInside(width: width, height: height) else { return nil }
        func part(_ index: Int) -> (plane: MutablePlane, bytes: Int) {
            let whole = plane(index)
            let part = layout.part(moved, ofPlane: index, stride: whole.stride)
            return (MutablePlane(base: whole.base + part.first, stride: whole.stride), part.bytes)
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

extension ImageView {
    /// Returns a part of the image, in the same memory, with its place; nil if it is empty or not inside.
    ///
    /// The part is larger where it would divide pixels that share chroma: it then begins at the nearest pixel on the
    /// left and above that does not share its chroma with the one before.
    package func part(around rect: PixelRect) -> (view: ImageView, place: PixelRect)? {
        let layout = format.layout
        let corner = layout.corner(before: rect)
        let place = PixelRect(
            x: corner.x, y: corner.y, width: rect.width + rect.x - corner.x,
            height: rect.height + rect.y - corner.y)
        guard rect.width > 0, rect.height > 0, place.isInside(width: width, height: height) else {
            return nil
        }
        func part(_ index: Int) -> (plane: Plane, bytes: Int) {
            let whole = plane(index)
            let part = layout.part(place, ofPlane: index, stride: whole.stride)
            return (Plane(base: whole.base + part.first, stride: whole.stride), part.bytes)
        }
        let (first, second, third, fourth) = (part(0), part(1), part(2), part(3))
        let view = ImageView(
            format: format, width: place.width, height: place.height, colorimetry: colorimetry,
            planes: (first.plane, second.plane, third.plane, fourth.plane),
            byteCounts: (first.bytes, second.bytes, third.bytes, fourth.bytes))
        return view.map { ($0, place) }
    }
}

extension PixelLayout {
    /// Returns the nearest corner, on the left and above, whose pixel does not share its chroma with those before.
    fileprivate func corner(before rect: PixelRect) -> (x: Int, y: Int) {
        let shared = sharedShifts
        return ((rect.x >> shared.width) << shared.width, (rect.y >> shared.height) << shared.height)
    }

    /// Returns the offset of a part's first sample in a plane, and the bytes from there to its last.
    fileprivate func part(_ rect: PixelRect, ofPlane index: Int, stride: Int) -> (first: Int, bytes: Int) {
        let rows = rows(plane: index, height: rect.height)
        return (
            bytes(plane: index, before: rect.x) + rect.y >> heightShift(plane: index) * stride,
            stride * (rows - 1) + rowBytes(plane: index, width: rect.width)
        )
    }
}

extension PixelRect {
    fileprivate func isInside(width: Int, height: Int) -> Bool {
        x >= 0 && y >= 0 && self.width <= width - x && self.height <= height - y
    }
}
