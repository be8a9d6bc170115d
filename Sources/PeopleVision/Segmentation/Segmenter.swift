import Imaging

/// Turns the frames of a stream into masks of a plan's size.
protocol Segmenter: AnyObject {
    /// The people of `image`, turned upright; valid until the next call.
    ///
    /// - Parameter smoothing: 0...1; the weight of the past where the picture stands still.
    func segment(
        _ image: ImageView, orientation: ImageOrientation, smoothing: Float
    ) throws(VisionError) -> FloatImage

    /// The next frame does not follow the last.
    func reset()
}
