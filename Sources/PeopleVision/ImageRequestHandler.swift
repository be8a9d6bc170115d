public import Imaging

/// Performs several requests on one image.
public struct ImageRequestHandler {
    private let image: ImageView
    private let orientation: ImageOrientation

    /// Takes note of an image, which must stay valid while requests are performed.
    public init(_ image: ImageView, orientation: ImageOrientation = .up) {
        self.image = image
        self.orientation = orientation
    }

    /// Performs `requests` in order; each holds its own result afterwards.
    ///
    /// - Throws: what the first request that fails throws; the ones behind it are not performed.
    public func perform(_ requests: [any VisionRequest]) throws(VisionError) {
        for request in requests {
            try request.perform(on: image, orientation: orientation)
        }
    }
}
