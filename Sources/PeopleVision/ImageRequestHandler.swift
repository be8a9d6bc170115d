public import Imaging

/// Performs one request or several on one image.
///
///     let (people, faces) = try await ImageRequestHandler(image).perform(segmentation, detection)
public struct ImageRequestHandler {
    private let image: ImageView
    private let orientation: ImageOrientation
    private let owner: AnyObject?

    /// Creates a handler of an image.
    ///
    /// - Parameter owner: owner of the image's memory, kept as long as the handler; without one the memory
    ///   must stay valid while requests are performed.
    public init(_ image: ImageView, orientation: ImageOrientation = .up, keeping owner: AnyObject? = nil) {
        self.image = image
        self.orientation = orientation
        self.owner = owner
    }

    /// Performs `request` in order, and returns the result of each: a tuple, or the only request's
    /// observation.
    ///
    /// - Throws: the error of the first request that fails; the requests after it are not performed.
    public func perform<each Request: VisionRequest>(
        _ request: repeat each Request
    ) throws(VisionError) -> (repeat (each Request).Observation) {
        defer { withExtendedLifetime(owner) {} }
        return (repeat try (each request).perform(on: image, orientation: orientation))
    }

    /// Performs the requests side by side on threads of the library, and returns the result of each.
    ///
    /// A request that is given twice is performed twice, one after the other.
    ///
    /// - Parameter isolation: the actor of the caller.
    /// - Throws: the error of the first request that has failed, in the order given, after all have ended;
    ///   `VisionError.cancelled` where the task was cancelled.
    public func perform<each Request: VisionRequest>(
        _ request: repeat each Request, isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) -> (repeat (each Request).Observation) {
        defer { withExtendedLifetime(owner) {} }
        let frame = InputFrame(image, orientation: orientation, isStill: true)
        let calls = CallGroup()
        let call = (repeat calls.add(each request, frame))
        await calls.finish(isolation: isolation)
        return (repeat try (each call).result())
    }

    /// Cuts the part that a mask covers out of the image.
    ///
    /// - Parameters:
    ///   - mask: a mask of the whole stored image, at any size: an observation's `mask`, or the result of its
    ///     `mask(for:)` where that is not cropped.
    ///   - smallestPart: minimum size of a part; parts with a smaller certain area, as a share of the largest
    ///     one's, 0...1, are left out.
    /// - Returns: upright RGBA, cropped to the visible part; nil when nothing is visible, or memory is short.
    public func cutOut(by mask: Mask, smallestPart: Double = 0.002) -> CutOut? {
        defer { withExtendedLifetime(owner) {} }
        return CutOut(image, mask: mask, orientation: orientation, smallestPart: smallestPart)
    }
}
