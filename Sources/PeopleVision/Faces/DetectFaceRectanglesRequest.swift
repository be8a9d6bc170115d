public import Imaging

/// Finds faces, whatever their turn in the picture, and which way the heads look.
///
/// For single pictures as it is; for a stream set `tracksFaces` and keep one object per stream.
public class DetectFaceRectanglesRequest: VisionRequest {
    /// The revisions there are; results of a revision do not change over time.
    public static let supportedRevisions = 1...1

    /// The revision to use; the newest by default.
    public var revision = supportedRevisions.upperBound
    /// Faces to report at most.
    public var maximumFaces = 4
    /// Faces of less confidence are not reported, 0...1.
    public var minimumConfidence = 0.5
    /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
    public var device = "CPU"
    /// Threads for inference, 0 for as many as suit the models.
    public var threads = 0
    /// A landmark model to use instead of the built-in one, or a directory of models.
    public var modelPath: String?
    /// The camera's angle of view from the upright picture's upper to its lower edge, in radians; nil for
    /// an unknown camera, which is taken for one with a normal lens: 40 degrees along the longer side.
    ///
    /// Angles are measured against the camera's axis, so that somebody at the picture's edge who looks into
    /// the camera has turned the head. A guess that is too wide exaggerates this. Webcams see 40 to 50 degrees
    /// from top to bottom, telephones held upright 65.
    public var verticalFieldOfView: Double?
    /// Whether pictures are a stream: faces are followed from one to the next, keep their `id`, and
    /// their angles are smoothed.
    public var tracksFaces = false
    /// Seconds from one picture of the stream to the next.
    public var frameDuration = 1.0 / 30
    /// Whether faces come with their `landmarks`.
    public var findsLandmarks = false
    /// Whether faces come with their `captureQuality`; takes about a millisecond per face.
    public var ratesCaptureQuality = false
    /// The faces of the last picture, once `perform(on:orientation:)` has run.
    public private(set) var results: [FaceObservation] = []

    private var models: FaceModels?
    private let tracker = FaceTracker()
    private let fitter = PoseFitter()
    private var mirror = MirrorLook()
    private var lastView: (width: Int, height: Int, orientation: ImageOrientation)?

    /// A request for the faces of single pictures.
    public init() {}

    /// Loads the models, so that the first picture does not wait for them.
    public func prepare() throws(VisionError) { _ = try loadedModels() }

    /// Finds the models' files without loading them.
    public func checkModels() throws(VisionError) { try FaceModels.check(setup) }

    /// Forgets the faces that are being followed: the next picture starts a new stream.
    public func reset() {
        tracker.reset()
        results.removeAll(keepingCapacity: true)
    }

    /// Lets go of the loaded models, and of the faces.
    public func unload() {
        reset()
        models = nil
    }

    /// Finds the faces of `image`, `results`.
    public func perform(on image: ImageView, orientation: ImageOrientation) throws(VisionError) {
        // The tracks' memory is theirs alone again, and can be written without copying it.
        results.removeAll(keepingCapacity: true)
        let models = try loadedModels()
        let frame = UprightFrame(image, orientation: orientation)
        if lastView ?? (0, 0, .up) != (image.width, image.height, orientation) { tracker.reset() }
        lastView = (image.width, image.height, orientation)
        // A face that is hardly certain stays followed, so that it does not flicker.
        let limits = FaceTracker.Limits(most: maximumFaces, least: min(max(minimumConfidence, 0.05), 0.5))
        if tracksFaces {
            try tracker.follow(in: frame, models, limits)
        } else {
            try tracker.find(in: frame, models, limits)
        }
        try report(frame, models, ratesCaptureQuality ? models.captureRater() : nil)
    }

    private var setup: ModelSetup { ModelSetup(device: device, threads: threads, modelPath: modelPath) }

    private func loadedModels() throws(VisionError) -> FaceModels {
        guard Self.supportedRevisions.contains(revision) else {
            throw .unsupportedRevision(revision, supported: Self.supportedRevisions)
        }
        if let models, models.setup == setup { return models }
        let fresh = try FaceModels(setup)
        models = fresh
        return fresh
    }

    private func report(
        _ frame: UprightFrame, _ models: FaceModels, _ rater: CaptureRater?
    ) throws(VisionError) {
        let camera = PoseFitter.Camera(verticalFieldOfView, frame.size)
        let interval = tracksFaces ? frameDuration : nil
        for index in tracker.tracks.indices where tracker.tracks[index].look.presence >= minimumConfidence {
            let fit = try fit(tracker.tracks[index].look, in: frame, models, camera)
            let quality = try rater?.rate(tracker.tracks[index].look, fit, in: frame)
            results.append(
                tracker.tracks[index].observation(
                    in: frame, fit, interval: interval, withLandmarks: findsLandmarks, quality))
        }
    }
    private func fit(
        _ look: FaceInspector.Look, in frame: UprightFrame, _ models: FaceModels, _ camera: PoseFitter.Camera
    ) throws(VisionError) -> PoseFitter.Fit? {
        guard let fit = fitter.fit(look.mesh.points, camera: camera) else { return nil }
        return try mirror.refined(fit, look, in: frame, models, fitter, camera).calibrated
    }
}
