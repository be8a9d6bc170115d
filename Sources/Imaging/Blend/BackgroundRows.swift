/// Where a compositor finds the background's samples.
protocol BackgroundRows {
    associatedtype Sample: PixelSample

    /// The samples of a row, indexed like the frame's; only `samples` need be valid.
    ///
    /// Rows of a plane are asked for in ascending order.
    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample>
}

/// A picture of the frame's format and size, which may be the frame.
struct PictureRows<Sample: PixelSample>: BackgroundRows {
    let picture: ImageView

    func row(_ row: Int, plane: Int, samples: Range<Int>) -> UnsafePointer<Sample> {
        UnsafePointer(picture.plane(plane).samples(row))
    }
}
