/// Where a compositor finds the background's samples.
protocol BackgroundRows {
    associatedtype Sample: PixelSample

    /// Whether rows are those of the frame that is composed.
    static var areTheFrames: Bool { get }

    /// The samples of a row, indexed like the frame's; only `samples` need be valid.
    ///
    /// Rows of a plane are asked for in ascending order.
    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample>
}

/// A picture of the frame's format and size.
struct PictureRows<Sample: PixelSample>: BackgroundRows {
    let picture: ImageView

    static var areTheFrames: Bool { false }

    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        picture.plane(plane).samples(row)
    }
}

/// The frame itself, as it was before the samples that are asked for were composed.
final class OriginalRows<Sample: PixelSample>: BackgroundRows {
    private let copy = ScratchBuffer<Sample>()
    private var frame: ImageView?

    static var areTheFrames: Bool { true }

    /// Starts a frame, which must stay valid until `end`.
    func begin(_ frame: ImageView) {
        self.frame = frame
        copy.reserve(frame.format.layout.longestRow(width: frame.width))
    }

    func end() { frame = nil }

    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        if let frame {
            let (first, source) = (
                samples.lowerBound, frame.plane(plane).samples(row) as UnsafePointer<Sample>
            )
            (copy.base + first).update(from: source + first, count: samples.count)
        }
        return UnsafePointer(copy.base)
    }
}
