public import Imaging

/// A request for the faces of an image, whatever their turn in it, and for which way the heads are turned.
///
/// The requests of this kind differ in what each face comes with. For single pictures they are used as they
/// are; for a stream set `tracksFaces`, keep one object per stream, and set `frameDuration` where frames do not
/// come 30 times a second.
public protocol FaceRequest: VisionRequest
where Observation == [FaceObservation], Configuration == FaceConfiguration {
    /// What every face of this request comes with, whatever the configuration adds.
    static var attributes: FaceAttributes { get }
    /// The models and the faces that are followed.
    var pipeline: FacePipeline { get }
}

/// What a face can come with, besides its place and pose.
public struct FaceAttributes: OptionSet, Sendable {
    /// One bit per attribute.
    public let rawValue: Int

    /// `FaceObservation.landmarks`.
    public static let landmarks = FaceAttributes(rawValue: 1)
    /// `FaceObservation.captureQuality`; takes about a millisecond per face.
    public static let captureQuality = FaceAttributes(rawValue: 2)
    /// All 478 points of `FaceObservation.mesh` in streams too, irises included.
    public static let irises = FaceAttributes(rawValue: 4)

    /// The attributes whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether the full landmark model must follow the faces of a stream: the lite one has no irises.
    var needFullModel: Bool { !isEmpty }
}

/// Settings of a face request.
public struct FaceConfiguration: Sendable, Equatable {
    /// The revision to use; the newest by default.
    public var revision = DetectFaceRectanglesRequest.supportedRevisions.upperBound
    /// Faces to report at most.
    public var maximumFaces = 4
    /// Faces of less confidence are not reported, 0...1.
    public var minimumConfidence = 0.5
    /// What faces come with in addition to what the request is for.
    public var attributes: FaceAttributes = []
    /// The camera's angle of view from the upright picture's upper to its lower edge, in radians; nil for
    /// an unknown camera, which is taken for one with a normal lens: 40 degrees along the longer side.
    ///
    /// Angles are measured against the camera's axis, so that a person at the picture's edge who faces the
    /// camera has turned the head. A guess that is too wide exaggerates this. Webcams see 40 to 50 degrees
    /// from top to bottom, telephones held upright 65.
    public var verticalFieldOfView: Double?
    /// Whether pictures are a stream: faces are followed from one to the next, keep their `id`, and
    /// their angles are smoothed.
    public var tracksFaces = false
    /// Seconds of a stream for which a large new face waits at most until it is searched for.
    ///
    /// Small ones wait ten times as long, turned ones sixty times. Nil searches the first picture only.
    public var searchInterval: Double? = 0.1
    /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
    public var device = "CPU"
    /// Threads for inference, 0 for as many as suit the models.
    public var threads = 0
    /// A landmark model to use instead of the built-in one, or a directory of models.
    public var modelPath: String?

    /// Up to four faces of a single picture.
    public init() {}
}

extension FaceRequest {
    /// Seconds from one picture of a stream to the next; 1/30 unless set.
    public var frameDuration: Double {
        get { pipeline.frameDuration }
        set { pipeline.frameDuration = newValue }
    }

    /// Whether the first picture of a stream is searched over the pictures that follow, as after a loss, instead of at once.
    ///
    /// For live streams: a picture that takes long makes the next ones late. It takes effect where there is a search interval.
    public var spreadsFirstSearch: Bool {
        get { pipeline.spreadsFirstSearch }
        set { pipeline.spreadsFirstSearch = newValue }
    }

    /// Finds the faces of `image`.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> [FaceObservation] {
        try Self.check(revision: configuration.revision)
        return try pipeline.perform(on: image, orientation, configuration, Self.attributes)
    }

    /// Loads the models, so that the first picture does not wait for them.
    public func prepare() throws(VisionError) {
        try Self.check(revision: configuration.revision)
        try pipeline.prepare(configuration, Self.attributes)
    }

    /// Finds the models' files without loading them.
    public func checkModels() throws(VisionError) { try FaceModels.check(configuration.setup) }

    /// Forgets the faces that are being followed; those of the next picture get other ids.
    public func reset() { pipeline.reset() }

    /// Lets go of the loaded models, and of the faces.
    public func unload() { pipeline.unload() }
}
