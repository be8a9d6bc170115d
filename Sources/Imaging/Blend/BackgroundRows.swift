/// Where a compositor finds the background's bytes.
protocol BackgroundRows {
    /// The bytes of a row, indexed like the frame's; only `bytes` need be valid.
    ///
    /// Rows of a plane are asked for in ascending order.
    func row(_ row: Int, plane: Int, bytes: Range<Int>) -> UnsafePointer<UInt8>
}

/// A picture of the frame's format and size.
struct PictureRows: BackgroundRows {
    let picture: ImageView

    func row(_ row: Int, plane: Int, bytes: Range<Int>) -> UnsafePointer<UInt8> {
        UnsafePointer(picture.plane(plane).row(row))
    }
}
