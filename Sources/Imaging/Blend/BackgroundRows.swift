/// Where a compositor finds the background's samples.
protocol BackgroundRows {
    associatedtype Sample: PixelSample

    /// The samples of a row, indexed like the frame's; only `samples` need be valid.
    ///
    /// Rows of a plane are asked for in ascending order.
    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample>
}

/// A picture of the frame's format and size.
struct PictureRows<Sample: PixelSample>: BackgroundRows {
    let picture: ImageView

    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        picture.plane(plane).samples(row)
    }
}

/// The frame itself: each row as it was before anything in it was composed.
final class OriginalRows<Sample: PixelSample>: BackgroundRows {
    private let copy = ScratchBuffer<Sample>()
    private var frame: ImageView?
    private var current = (row: -1, plane: -1)

    /// Starts a frame, which must stay valid until `end`.
    func begin(_ frame: ImageView) {
        self.frame = frame
        current = (-1, -1)
        copy.reserve(frame.format.layout.longestRow(width: frame.width))
    }

    func end() { frame = nil }

    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        if let frame, current != (row, plane) {
            current = (row, plane)
            let count = frame.format.layout.rowSamples(plane: plane, width: frame.width)
            copy.base.update(from: frame.plane(plane).samples(row), count: count)
        }
        return UnsafePointer(copy.base)
    }
}
