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
