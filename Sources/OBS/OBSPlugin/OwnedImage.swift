import Imaging

/// An image with memory of its own.
final class OwnedImage: @unchecked Sendable {
    // Unchecked: the worker writes it before it is handed over.
    let view: MutableImageView
    private let planes: [UnsafeMutableRawPointer]

    /// Returns nil for a size that an image cannot have.
    init?(_ kind: FrameKind) {
        let (layout, width, height) = (kind.format.layout, kind.width, kind.height)
        let sides = 1...ImageView.maximumSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        var (planes, views) = ([UnsafeMutableRawPointer](), [(MutablePlane, Int)]())
        for index in 0..<layout.planeCount {
            let stride = (layout.rowBytes(plane: index, width: width) + 31) & ~31
            let bytes = stride * layout.rows(plane: index, height: height)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 32)
            planes.append(memory)
            views.append((MutablePlane(base: memory, stride: stride), bytes))
        }
        func plane(_ index: Int) -> (MutablePlane, Int) { views[min(index, views.count - 1)] }
        let view = MutableImageView(
            format: kind.format, width: width, height: height, colorimetry: kind.colorimetry,
            planes: (plane(0).0, plane(1).0, plane(2).0, plane(3).0),
            byteCounts: (plane(0).1, plane(1).1, plane(2).1, plane(3).1))
        guard let view else {
            for memory in planes { memory.deallocate() }
            return nil
        }
        (self.planes, self.view) = (planes, view)
    }

    deinit { for memory in planes { memory.deallocate() } }

    /// Whether the image is one of these frames.
    func has(_ kind: FrameKind) -> Bool {
        view.format == kind.format && view.width == kind.width && view.height == kind.height
            && view.colorimetry == kind.colorimetry
    }
}
