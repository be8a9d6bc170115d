public import Imaging

/// Performs one request or several on one image.
///
///     let (people, faces) = try ImageRequestHandler(image).perform(segmentation, detection)
public struct ImageRequestHandler {
    private let image: ImageView
    private let orientation: ImageOrientation
    private let owner: AnyObject?

    /// Takes note of an image.
    ///
    /// - Parameter owner: of the image's memory, kept as long as the handler; without one the memory must
    ///   stay valid while requests are performed.
    public init(_ image: ImageView, orientation: ImageOrientation = .up, keeping owner: AnyObject? = nil) {
        self.image = image
        self.orientation = orientation
        self.owner = owner
    }

    /// Performs `request` in order, and returns what each finds: a tuple, or the only request's observation.
    ///
    /// - Throws: what the first request that fails throws; those after it are not performed.
    public func perform<each Request: VisionRequest>(
        _ request: repeat each Request
    ) throws(VisionError) -> (repeat (each Request).Observation) {
        defer { withExtendedLifetime(owner) {} }
        return (repeat try (each request).perform(on: image, orientation: orientation))
    }
    /// Cuts out of the image what a mask covers.
    ///
    /// - Parameters:
    ///   - mask: of the whole image as it is stored, at any size: an observation's `mask`, or what its `mask(for:)`
    ///     gives where that is not cropped.
    ///   - smallestPart: parts of which a smaller area is certain, as a share of the largest one's, 0...1, are left out.
    /// - Returns: upright RGBA, cropped to what is seen; nil when that is nothing, or memory is short.
    public func cutOut(by mask: Mask, smallestPart: Double = 0.002) -> CutOut? {
        defer { withExtendedLifetime(owner) {} }
        return CutOut(image, mask: mask, orientation: orientation, smallestPart: smallestPart)
    }
}
