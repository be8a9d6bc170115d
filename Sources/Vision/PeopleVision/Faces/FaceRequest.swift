public import Imaging

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

/// A face of an image.
///
/// Places are in the image's stored orientation, normalised to 0...1; angles are those of the upright image,
/// which a viewer sees.
public struct FaceObservation: TrackedObservation, Hashable, Codable {
    /// The box around the face, forehead to chin; it may reach outside the image.
    public let boundingBox: Rectangle
    /// The models' certainty that this is a face, 0...1.
    public let confidence: Double
    /// A number that distinguishes the faces of an image, and stays with a face when the request follows
    /// faces.
    public let id: Int
    /// Rotation in the image in radians, -pi..<pi: positive when the head is turned counter-clockwise.
    @_disfavoredOverload
    public let roll: Double
    /// Rotation to the side in radians, -pi/2...pi/2: positive when the nose points to the right of the
    /// image.
    @_disfavoredOverload
    public let yaw: Double
    /// Nod in radians, -pi/2...pi/2: positive when the nose points down.
    @_disfavoredOverload
    public let pitch: Double
    /// Whether the angles are reliable; false for a profile, a face half hidden, or points that fit no head.
    public let anglesAreReliable: Bool
    /// The points of the face mesh, in MediaPipe's order.
    ///
    /// There are 478 points, the last ten those of the irises. Streams without `FaceAttributes` have the 468
    /// points without irises.
    public let mesh: [FaceMeshPoint]
    /// The outlines of the face's parts, if requested.
    public let landmarks: FaceLandmarks?
    /// The quality of the face's capture, 0...1, if requested.
    ///
    /// Only images of one person can be compared: it chooses the best of a burst.
    @_disfavoredOverload
    public let captureQuality: Double?
    /// The identifier of this observation, which takes no part in comparisons.
    @_disfavoredOverload
    @Incomparable public private(set) var uuid = ObservationUUID()
}

/// A unit of angles.
public enum AngleUnit: Sendable {
    /// A full turn is 2 pi.
    case radians
    /// A full turn is 360.
    case degrees
}

extension FaceObservation {
    /// `captureQuality`, for a module in which another property of that name hides it.
    package var captureScore: Double? { captureQuality }

    /// Returns `roll`, `yaw` and `pitch` in a unit.
    public func angles(in unit: AngleUnit) -> (roll: Double, yaw: Double, pitch: Double) {
        let scale = unit == .degrees ? 180 / Double.pi : 1
        return (roll * scale, yaw * scale, pitch * scale)
    }
}

/// A point of a face's mesh.
public struct FaceMeshPoint: Sendable, Hashable, Codable {
    /// The place of the point, in the image's stored orientation, normalised.
    public let position: Point
    /// Distance behind the middle of the head, as seen from the camera, as a share of the upright image's
    /// width.
    public let depth: Double
}

/// The loaded models of face requests.
final class FaceModels: TrackingModels {
    let setup: ModelSetup
    /// Detects faces within about two metres of the camera.
    let near: FaceDetector
    /// Detects faces within about five metres.
    let far: FaceDetector
    /// The model with the most accurate points, irises included.
    let landmarker: FaceLandmarker
    /// `landmarker` for streams: it samples images bilinearly, in a third of the time.
    let streamLandmarker: FaceLandmarker
    /// The model for streams at a quarter of the cost, without irises.
    let liteLandmarker: FaceLandmarker
    private var rater: CaptureRater?

    private static let nearName = "face_detection_short_range"
    private static let farName = "face_detection_full_range_sparse"

    /// Returns the models that every request needs; the one that takes longest to compile comes first.
    static func uses(_ setup: ModelSetup) -> [ModelUse] {
        [ModelUse(FaceLandmarker.fullName, setup)]
            + [farName, FaceLandmarker.liteName, nearName].map { ModelUse($0, setup.withoutUserModel) }
    }

    /// Loads the models.
    ///
    /// - Parameter setup: a model file in it replaces both landmark models; the others stay.
    init(_ setup: ModelSetup) throws(VisionError) {
        self.setup = setup
        near = try FaceDetector(Self.nearName, setup.withoutUserModel)
        far = try FaceDetector(Self.farName, setup.withoutUserModel)
        landmarker = try FaceLandmarker(FaceLandmarker.fullName, setup)
        streamLandmarker = try FaceLandmarker(FaceLandmarker.fullName, filter: .bilinear, setup)
        liteLandmarker =
            setup.hasUserModel
            ? streamLandmarker : try FaceLandmarker(FaceLandmarker.liteName, filter: .bilinear, setup)
    }

    func prepare(_ configuration: FaceRequest.Configuration) throws(VisionError) {
        if configuration.attributes.contains(.captureQuality) { _ = try captureRater() }
    }

    /// Returns the landmark model that follows the faces of a stream.
    func trackingLandmarker(_ context: FaceTracker.Context) -> FaceLandmarker {
        context.configuration.attributes.needFullModel ? streamLandmarker : liteLandmarker
    }

    /// Returns the rater of captures, whose model is loaded by the first call.
    func captureRater() throws(VisionError) -> CaptureRater {
        if let rater { return rater }
        let fresh = try CaptureRater(setup.withoutUserModel)
        rater = fresh
        return fresh
    }
}
