/// A request for the faces of an image, at any rotation, and for the poses of the heads.
///
/// The requests of this kind differ in their attributes.
public class FaceRequest: TrackingRequest<FaceRequest.Configuration, FaceObservation>, VisionRequest {
    /// The attributes that every face of this request has, in addition to those of the configuration.
    public class var attributes: FaceAttributes { [] }

    /// Creates a request; for the faces of single images unless `configuration` says otherwise.
    public required init(_ configuration: Configuration = Configuration()) {
        super.init(configuration, TrackingPipeline<FaceTracker>())
    }

    override var completeConfiguration: Configuration {
        var complete = configuration
        complete.attributes.formUnion(Self.attributes)
        return complete
    }

    /// Finds the faces of `frame`.
    public func perform(on frame: InputFrame) throws(VisionError) -> [FaceObservation] { try find(in: frame) }
}

/// Finds faces, and the poses of the heads.
///
/// `attributes` of the configuration add landmarks, capture quality, or both.
public final class DetectFaceRectanglesRequest: FaceRequest {}

/// Finds faces and the outlines of their parts, `FaceObservation.landmarks`: 76 points in named regions.
public final class DetectFaceLandmarksRequest: FaceRequest {
    /// The attributes of every face.
    override public class var attributes: FaceAttributes { .landmarks }
}

/// Finds faces and the quality of their capture, `FaceObservation.captureQuality`.
///
/// The quality falls with blur, noise, bad light, a small or turned or hidden face, shut eyes and an open
/// mouth. It compares images of one person, for the best of a burst; it cannot compare different people.
public final class DetectFaceCaptureQualityRequest: FaceRequest {
    /// The attributes of every face.
    override public class var attributes: FaceAttributes { .captureQuality }
}

/// Attributes of a face besides its place and pose.
public struct FaceAttributes: TrackedAttributes {
    /// One bit per attribute.
    public let rawValue: Int

    /// `FaceObservation.landmarks`.
    public static let landmarks = FaceAttributes(rawValue: 1)
    /// `FaceObservation.captureQuality`; takes about a millisecond per face.
    public static let captureQuality = FaceAttributes(rawValue: 2)
    /// All 478 points of `FaceObservation.mesh` in streams too, irises included.
    public static let irises = FaceAttributes(rawValue: 4)

    /// Creates the set of the attributes whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether the full landmark model must follow the faces of a stream, because the lite one has no irises.
    var needFullModel: Bool { !isEmpty }
}

extension FaceRequest {
    /// Settings of a face request.
    public struct Configuration: TrackingConfiguration {
        /// Revision 1 only.
        public static let supportedRevisions = 1...1

        /// The revision to use; the newest by default.
        public var revision = supportedRevisions.upperBound
        /// The maximum number of faces to report.
        public var maximumFaces = 4
        /// The minimum confidence of reported faces, 0...1.
        public var minimumConfidence = 0.5
        /// Attributes of faces in addition to those of the request.
        public var attributes: FaceAttributes = []
        /// The camera's angle of view from the upright image's upper to its lower edge, in radians.
        ///
        /// Nil stands for an unknown camera, which is assumed to have a normal lens: 40 degrees along the longer
        /// side. Angles are measured against the camera's axis, so that a person at the image's edge who faces
        /// the camera has turned the head. An angle that is too wide exaggerates this. Webcams see 40 to 50
        /// degrees from top to bottom, telephones in upright position 65.
        public var verticalFieldOfView: Double?
        /// The origin of the images: single ones, a recording or a camera.
        public var mode = AnalysisMode.image
        /// The part of the image that is analysed, normalised to 0...1; the whole image by default.
        public var regionOfInterest = NormalizedRect.unit
        /// The maximum time of the stream until a large new face is searched for.
        ///
        /// Small faces wait ten times as long, rotated ones sixty times. Nil searches the first frame only.
        public var searchInterval: Duration? = .milliseconds(100)
        /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
        public var device = "CPU"
        /// Threads for inference; 0 for as many as suit the models.
        public var threads = 0
        /// A landmark model to use instead of the built-in one, or a directory of models.
        public var modelPath: String?

        /// Creates settings for up to four faces of a single image.
        public init() {}

        /// The maximum number of faces, `maximumFaces`.
        public var maximumCount: Int { maximumFaces }
    }
}
