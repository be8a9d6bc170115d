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

/// The origin of a request's images, which decides what they have in common and how long they may take.
public enum AnalysisMode: String, CaseIterable, Sendable {
    /// Images that stand by themselves: nothing that came before counts, and it may take longer.
    case image
    /// The frames of a recording, which wait for their results.
    ///
    /// Things are followed from one frame to the next, keep their `id`, and are smoothed over time. Equal frames
    /// give equal results.
    case recording
    /// The frames of a live camera, which must not be late.
    ///
    /// As for recordings, but long searches are spread over frames, and no frame waits while a model is compiled
    /// for a new size. Masks of people at `balanced` are computed on a background thread where a mask takes more
    /// than 60 % of the time between two frames; a frame's mask is then the last computed one, moved along with
    /// the image. Before the first mask, and where too much of the motion is lost, it is that of `fast`. Bodies
    /// that move slowly are measured in every second frame, and move along in between. Results depend on timing.
    case camera

    /// Whether images are the frames of a stream.
    var isStream: Bool { self != .image }
}

extension RequestConfiguration {
    /// Returns the size of the part of an image that is analysed, in pixels; at least one.
    func analysedSize(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        let part = PixelRect(regionOfInterest, width: width, height: height)
        return (max(1, part.width), max(1, part.height))
    }
}

extension InputFrame {
    /// Returns the frame as a request with these settings analyses it: in its mode, and cropped to its region of
    /// interest.
    ///
    /// This is the only place that crops; `toStored` maps results back.
    ///
    /// - Throws: `VisionError.sampling` where the region is empty or outside of the image.
    func of(_ configuration: some RequestConfiguration) throws(VisionError) -> InputFrame {
        var frame = self
        frame.standsAlone = standsAlone ?? !configuration.mode.isStream
        let region = configuration.regionOfInterest
        guard region != .unit else { return frame }
        let wanted = PixelRect(region, width: image.width, height: image.height)
        guard let (view, rect) = image.part(around: wanted) else {
            throw .sampling("its region of interest, \(region.text), has no pixels")
        }
        (frame.image, frame.part) = (view, Part(rect, of: self))
        return frame
    }

    /// The place of a frame's image in a larger one.
    struct Part: Equatable {
        /// Size of the larger image, as stored.
        let whole: Size
        /// The place, in the unit square of the larger image.
        let box: Rectangle

        fileprivate init(_ rect: PixelRect, of frame: InputFrame) {
            let (width, height) = (Double(frame.image.width), Double(frame.image.height))
            let box = Rectangle(
                x: Double(rect.x) / width, y: Double(rect.y) / height, width: Double(rect.width) / width,
                height: Double(rect.height) / height)
            self.box = frame.part.map { FrameTransform.crop($0.box).map(box) } ?? box
            whole = frame.wholeSize
        }
    }

    /// The size of the whole image, as stored, of which `image` may be a part.
    var wholeSize: Size { part?.whole ?? Size(width: image.width, height: image.height) }

    /// The transform from the unit square of the upright `image` to that of the whole stored image.
    var toStored: FrameTransform {
        let upright = FrameTransform.orientation(orientation)
        return part.map { upright.followed(by: .crop($0.box)) } ?? upright
    }
}

extension Rectangle {
    fileprivate var text: String { "\(width)x\(height) at \(x), \(y)" }
}
