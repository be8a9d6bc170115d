public import Imaging

/// A request to find out something about an image.
///
/// Requests that analyse a stream keep state between images: use one object per stream. Synchronous calls
/// block; asynchronous ones, which asynchronous code prefers, run on threads of the library.
///
/// Settings of `configuration` can be set on the request too: `request.device = "GPU"` is short for
/// `request.configuration.device = "GPU"`.
@dynamicMemberLookup
public protocol VisionRequest: AnyObject {
    /// The result of the request.
    associatedtype Observation: Sendable
    /// Settings of the request.
    associatedtype Configuration: RequestConfiguration

    /// The supported revisions.
    ///
    /// From version 0.2.0 on a revision stands for fixed models, input sizes and rules. Equal pixels with
    /// an equal configuration, version of OpenVINO and processor instruction set give the same results in
    /// every version that has the revision, within the tolerances of the regression tests: masks differ by
    /// 0.003 of full coverage on average, boxes by 0.0005 of the image's sides, angles by half a degree,
    /// and confidences by 0.01. Other versions of OpenVINO and other instruction sets round differently,
    /// which can move a value that lies at a threshold.
    ///
    /// A change of results makes a new revision. The same version may drop the old one; asking for it then
    /// throws `VisionError.unsupportedRevision`, so that results never change unnoticed for a program that
    /// sets its revision. Versions before 0.2.0 made no such promise: their revision 1 gave other results.
    static var supportedRevisions: ClosedRange<Int> { get }

    /// The settings; changed ones count from the next image on.
    var configuration: Configuration { get set }

    /// Analyses `frame`.
    ///
    /// - Throws: `VisionError`, when a model is missing or does not fit, or the revision does not exist.
    func perform(on frame: InputFrame) throws(VisionError) -> Observation
}

extension VisionRequest {
    /// Accesses a setting of `configuration`.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<Configuration, Value>) -> Value {
        get { configuration[keyPath: setting] }
        set { configuration[keyPath: setting] = newValue }
    }

    /// Analyses a single image.
    ///
    /// - Parameters:
    ///   - image: the pixels.
    ///   - orientation: rotation or reflection that makes the stored image upright.
    /// - Throws: the errors of `perform(on:)` for a frame.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> Observation {
        try perform(on: InputFrame(image, orientation: orientation, isStill: true))
    }

    /// Throws unless the revision is supported.
    static func check(revision: Int) throws(VisionError) {
        guard supportedRevisions.contains(revision) else {
            throw .unsupportedRevision(revision, supported: supportedRevisions)
        }
    }
}

/// Settings that all requests have.
public protocol RequestConfiguration: Sendable, Equatable {
    /// The revision to use; the newest by default.
    var revision: Int { get set }
    /// The origin of the images: single ones, a recording or a camera.
    var mode: AnalysisMode { get set }
    /// The part of the image that is analysed, as stored, normalised to 0...1; the whole image by default.
    ///
    /// Nothing outside of it counts, as if the image ended there. Results are places in the whole image, and masks
    /// cover it: they are 0 outside of the region. Where it moves within a stream, faces, bodies and hands are
    /// found anew. `perform` throws `VisionError.sampling` where no pixel of the image is in the region.
    var regionOfInterest: NormalizedRect { get set }

    /// Creates the settings for single images.
    init()
}
