public import Imaging

/// Something to find out about an image; the answer is in the request's `result` afterwards.
///
/// Requests that look at a stream keep state between images: use one object per stream, from one
/// thread at a time.
public protocol VisionRequest: AnyObject {
    /// Analyses `image`.
    ///
    /// - Parameter orientation: how the stored picture must be turned to be upright; models see it
    ///   upright, results are in the coordinates of the stored picture.
    func perform(on image: ImageView, orientation: ImageOrientation) throws(VisionError)
}
