// Requests and observations show images, masks, points and errors of these modules: a program that imports PeopleVision
// sees them too.
@_exported public import Imaging
@_exported public import Inference

/// Something to find out about an image.
///
/// Requests that analyse a stream keep state between images: use one object per stream, from one
/// thread at a time.
///
/// What `configuration` holds can be set on the request too: `request.device = "GPU"` is short for
/// `request.configuration.device = "GPU"`.
@dynamicMemberLookup
public protocol VisionRequest: AnyObject {
    /// What the request finds.
    associatedtype Observation
    /// Settings of the request.
    associatedtype Configuration: Equatable

    /// The revisions there are.
    ///
    /// From version 0.2.0 on a revision stands for fixed models, input sizes and rules. Equal pixels with
    /// an equal configuration, version of OpenVINO and processor instruction set give the same results in
    /// every version that has the revision, within the tolerances of the regression tests: masks differ by
    /// 0.003 of full coverage on average, boxes by 0.0005 of the image's sides, angles by half a degree,
    /// and confidences by 0.01. Other versions of OpenVINO and other instruction sets round differently,
    /// which can move a value that lies at a threshold.
    ///
    /// A change of results makes a new revision. The old one may go in the same version; asking for it then
    /// throws `VisionError.unsupportedRevision`, so that results never change unnoticed for a program that
    /// sets its revision. Versions before 0.2.0 promised nothing: their revision 1 gave other results.
    static var supportedRevisions: ClosedRange<Int> { get }

    /// The settings; changed ones count from the next image on.
    var configuration: Configuration { get set }

    /// Analyses `frame`.
    ///
    /// - Throws: `VisionError`, when a model is missing or does not fit, or the revision does not exist.
    func perform(on frame: InputFrame) throws(VisionError) -> Observation
}

extension VisionRequest {
    /// A setting of `configuration`.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<Configuration, Value>) -> Value {
        get { configuration[keyPath: setting] }
        set { configuration[keyPath: setting] = newValue }
    }

    /// Analyses a single image.
    ///
    /// - Parameter orientation: how the stored image must be turned to be upright.
    /// - Throws: as `perform(on:)` of a frame.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> Observation {
        try perform(on: InputFrame(image, orientation: orientation, isStill: true))
    }

    /// Throws unless there is such a revision.
    static func check(revision: Int) throws(VisionError) {
        guard supportedRevisions.contains(revision) else {
            throw .unsupportedRevision(revision, supported: supportedRevisions)
        }
    }
}

/// A request for masks, which are written where the caller wants them.
///
/// One request per stream. `perform` makes new masks; for streams `find` leaves it to the caller which masks are written,
/// and where to.
public protocol MaskRequest: VisionRequest {
    /// The masks of the last frame.
    var masks: InstanceMasks { get }

    /// Size and format of the masks of a `width` x `height` image, in its stored orientation.
    func maskLayout(width: Int, height: Int, orientation: ImageOrientation) -> MaskLayout
    /// Finds the models' files without loading them.
    func checkModels() throws(VisionError)
    /// Loads the models for images of this size, so that the first one does not wait for them.
    func prepare(width: Int, height: Int, orientation: ImageOrientation) throws(VisionError)
    /// Looks at a frame of a stream before it is its turn, so that its mask can correct those of the frames before it.
    ///
    /// Frames are looked ahead to in their order, each once and before it is given to `find` or `perform`; one or two frames
    /// ahead count. Without this, each frame's mask is its own.
    func lookAhead(to frame: InputFrame) throws(VisionError)
    /// Analyses `frame`, whose masks can be written until the next one.
    ///
    /// - Returns: the instances that have labels of their own, in the order of their labels.
    func find(in frame: InputFrame) throws(VisionError) -> [MaskInstance]
    /// Forgets the frames before: the next one does not follow them, and its instances get other ids.
    func reset()
    /// Releases the loaded models, and forgets the frames before.
    func unload()
}

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
