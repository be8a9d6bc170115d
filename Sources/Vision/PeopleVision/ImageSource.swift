package import Imaging
import Synchronization

/// An image that is decoded when the first request needs it, and once for all of them.
package final class ImageSource: Sendable {
    private let decode: @Sendable () throws(VisionError) -> DecodedImage
    private let decoded = Mutex<DecodedImage?>(nil)

    /// Creates an image that `decode` returns.
    package init(_ decode: @escaping @Sendable () throws(VisionError) -> DecodedImage) {
        self.decode = decode
    }

    /// Returns the decoded image.
    func image() throws(VisionError) -> DecodedImage {
        try decoded.withLock { decoded throws(VisionError) in
            if let decoded { return decoded }
            let image = try decode()
            decoded = image
            return image
        }
    }
}

/// A decoded image with the owner of its memory.
package struct DecodedImage: Sendable {
    // Unsafe only for the compiler: nobody changes the memory, which lives as long as its owner.
    nonisolated(unsafe) let view: ImageView
    let orientation: ImageOrientation
    private let owner: any AnyObject & Sendable

    /// Creates an image.
    ///
    /// - Parameters:
    ///   - view: the pixels, which never change.
    ///   - orientation: rotation or reflection that makes the image upright.
    ///   - owner: owner of the pixels' memory.
    package init(_ view: ImageView, _ orientation: ImageOrientation, keeping owner: any AnyObject & Sendable)
    {
        (self.view, self.orientation, self.owner) = (view, orientation, owner)
    }
}
