import Imaging

/// What stays the same in all pictures of a stream; where it changes, another stream begins.
struct FrameShape: Equatable {
    private let width: Int
    private let height: Int
    private let orientation: ImageOrientation

    init(_ image: ImageView, _ orientation: ImageOrientation) {
        (width, height, self.orientation) = (image.width, image.height, orientation)
    }
}
