/// A copy of a borrowed image, for work that goes on when the image's memory is gone.
///
/// It keeps its memory, so that a stream of images of one size allocates nothing.
package final class ImageCopy {
    /// The last frame; valid until the next one.
    package private(set) var view: ImageView?

    private let planes = Quad { ScratchBuffer<UInt8>() }

    /// A copy of nothing.
    package init() {}

    /// Copies `image`, row by row.
    package func take(_ image: ImageView) {
        let layout = image.format.layout
        func copy(_ index: Int) -> (plane: Plane, bytes: Int) {
            let (source, target) = (image.plane(index), planes[index])
            guard index < layout.planeCount else { return (Plane(base: target.base, stride: 0), 0) }
            let (rows, rowBytes) = (
                layout.rows(plane: index, height: image.height),
                layout.rowBytes(plane: index, width: image.width)
            )
            // Samples of two bytes begin at even addresses.
            let stride = (rowBytes + 1) & ~1
            target.reserve(stride * rows)
            for y in 0..<rows {
                (target.base + y * stride).update(from: source.row(y), count: rowBytes)
            }
            return (Plane(base: target.base, stride: stride), stride * rows)
        }
        let (first, second, third, fourth) = (copy(0), copy(1), copy(2), copy(3))
        view = ImageView(
            format: image.format, width: image.width, height: image.height, colorimetry: image.colorimetry,
            planes: (first.plane, second.plane, third.plane, fourth.plane),
            byteCounts: (first.bytes, second.bytes, third.bytes, fourth.bytes))
    }
}
