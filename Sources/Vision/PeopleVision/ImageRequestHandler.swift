public import Imaging
import Synchronization

/// Performs one request or several on one image.
///
///     let (people, faces) = try await ImageRequestHandler(image).perform(segmentation, detection)
///
/// A handler may be used by several tasks at once, with requests of their own.
public struct ImageRequestHandler: @unchecked Sendable {
    // Unchecked: nobody changes the image's memory, and the owner is only kept.
    private enum Image {
        case borrowed(ImageView, ImageOrientation, owner: AnyObject?)
        case source(ImageSource)
    }

    private let image: Image

    /// Creates a handler of an image.
    ///
    /// - Parameters:
    ///   - image: the pixels.
    ///   - orientation: rotation or reflection that makes the stored image upright.
    ///   - owner: owner of the image's memory, kept as long as the handler; without one the memory must stay
    ///     valid while requests are performed.
    public init(_ image: ImageView, orientation: ImageOrientation = .up, keeping owner: AnyObject? = nil) {
        self.image = .borrowed(image, orientation, owner: owner)
    }

    /// Creates a handler of an image that is decoded when it is needed.
    package init(_ source: ImageSource) { image = .source(source) }

    /// Performs `request` in order, and returns the result of each: a tuple, or the only request's
    /// observation.
    ///
    /// - Throws: the error of the first request that fails; the requests after it are not performed.
    public func perform<each Request: VisionRequest>(
        _ request: repeat each Request
    ) throws(VisionError) -> (repeat (each Request).Observation) {
        let frame = try frame()
        let observations = (repeat try (each request).perform(on: frame))
        // Not in a `defer`, with which Swift 6.0 does not compile a function of a parameter pack.
        withExtendedLifetime(self) {}
        return observations
    }

    /// Performs one request of any kind, where Swift 6.0 does not take a tuple of one observation for the observation.
    package func perform<Request: VisionRequest>(
        only request: Request
    ) throws(VisionError) -> Request.Observation {
        defer { withExtendedLifetime(self) {} }
        return try request.perform(on: frame())
    }

    /// Performs the requests side by side on threads of the library, and returns the result of each.
    ///
    /// A request that is given twice is performed twice, one after the other.
    ///
    /// - Parameters:
    ///   - request: the requests.
    ///   - isolation: the actor of the caller.
    /// - Throws: the error of the first request that has failed, in the order given, after all have ended;
    ///   `VisionError.cancelled` where the task was cancelled.
    public func perform<each Request: VisionRequest>(
        _ request: repeat each Request, isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) -> (repeat (each Request).Observation) {
        let calls = CallGroup()
        // Swift 6.0 releases the values of a pack in the wrong order where the function waits between them.
        let results = begin(repeat each request, in: calls)
        await calls.finish(isolation: isolation)
        // Not in a `defer`, as above.
        withExtendedLifetime(self) {}
        return try results()
    }

    /// Begins requests, and returns what gives their results once they have ended.
    private func begin<each Request: VisionRequest>(
        _ request: repeat each Request, in calls: CallGroup
    ) -> () throws(VisionError) -> (repeat (each Request).Observation) {
        let call = (repeat calls.add(each request, on: frame))
        return { () throws(VisionError) in (repeat try (each call).result()) }
    }

    /// Performs the requests side by side on threads of the library, and returns the result or the error of each.
    ///
    /// - Parameters:
    ///   - requests: requests of any kinds.
    ///   - isolation: the actor of the caller.
    /// - Returns: the outcomes in the order of the requests, of which each holds its request's `Observation`.
    public func performAll(
        _ requests: [any VisionRequest], isolation: isolated (any Actor)? = #isolation
    ) async -> [Result<any Sendable, VisionError>] {
        let calls = CallGroup()
        let outcomes = requests.map { outcome(of: $0, in: calls) }
        await calls.finish(isolation: isolation)
        withExtendedLifetime(self) {}
        return outcomes.map { $0() }
    }

    private func outcome<Request: VisionRequest>(
        of request: Request, in calls: CallGroup
    ) -> () -> Result<any Sendable, VisionError> {
        let call = calls.add(request, on: frame)
        return {
            do throws(VisionError) { return .success(try call.result()) } catch { return .failure(error) }
        }
    }

    /// Cuts the part that a mask covers out of the image.
    ///
    /// - Parameters:
    ///   - mask: a mask of the whole stored image, at any size: an observation's `mask`, or the result of its
    ///     `mask(for:)` where that is not cropped.
    ///   - smallestPart: minimum size of a part; parts with a smaller certain area, as a share of the largest
    ///     one's, 0...1, are left out.
    /// - Returns: upright RGBA, cropped to the visible part; nil when nothing is visible, the image cannot be
    ///   read, or memory is short.
    public func cutOut(by mask: Mask, smallestPart: Double = 0.002) -> CutOut? {
        defer { withExtendedLifetime(self) {} }
        guard let frame = try? frame() else { return nil }
        return CutOut(frame.image, mask: mask, orientation: frame.orientation, smallestPart: smallestPart)
    }

    /// Returns the image as a frame, whose memory is valid as long as the handler.
    private func frame() throws(VisionError) -> InputFrame {
        switch image {
        case .borrowed(let view, let orientation, _):
            return InputFrame(view, orientation: orientation, isStill: true)
        case .source(let source):
            let image = try source.image()
            return InputFrame(image.view, orientation: image.orientation, isStill: true)
        }
    }
}

extension ImageRequestHandler {
    /// Returns the size of the stored image, in pixels.
    func storedSize() throws(VisionError) -> (width: Int, height: Int) {
        defer { withExtendedLifetime(self) {} }
        let image = try frame().image
        return (image.width, image.height)
    }

    /// Returns the image with everything transparent but what `mask` covers.
    func maskedImage(by mask: Mask, isCropped: Bool) throws(VisionError) -> CutOut {
        defer { withExtendedLifetime(self) {} }
        let frame = try frame()
        guard
            let cutOut = CutOut(frame.image, mask: mask, orientation: frame.orientation, isCropped: isCropped)
        else { throw .nothingVisible }
        return cutOut
    }
}

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
