/// A region whose edges are parallel to the frame's: rows and columns can be resampled separately.
///
/// The tensor is walked along the frame's axes; a quarter turn only exchanges its strides.
struct SeparablePath: Equatable {
    /// One direction of the walk, in the frame's pixel positions.
    struct Axis: Equatable {
        /// Tensor pixels along this direction.
        let count: Int
        /// Pixel position of the tensor's edge.
        let origin: Double
        /// Pixels per tensor pixel; negative when mirrored.
        let step: Double
        /// Values between neighbours in the tensor.
        let stride: Int
    }

    let horizontal: Axis
    let vertical: Axis

    /// - Parameter map: from tensor pixels to frame pixels.
    /// - Returns: nil for regions that are turned by other than quarter turns.
    init?(map: FrameTransform, input: TensorInput) {
        let strides = input.strides
        if map.xy == 0, map.yx == 0 {
            horizontal = Axis(count: input.width, origin: map.dx, step: map.xx, stride: strides.x)
            vertical = Axis(count: input.height, origin: map.dy, step: map.yy, stride: strides.y)
        } else if map.xx == 0, map.yy == 0 {
            horizontal = Axis(count: input.height, origin: map.dx, step: map.xy, stride: strides.y)
            vertical = Axis(count: input.width, origin: map.dy, step: map.yx, stride: strides.x)
        } else {
            return nil
        }
    }
}
