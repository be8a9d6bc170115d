/// The models of face requests, loaded.
final class FaceModels {
    let setup: ModelSetup
    /// Finds faces within about two metres of the camera.
    let near: FaceDetector
    /// Finds faces within about five metres.
    let far: FaceDetector
    /// The most accurate points, irises included.
    let landmarker: FaceLandmarker
    /// The same model for streams: samples pictures bilinearly, which takes a third of the time.
    let closeLandmarker: FaceLandmarker
    /// Follows faces from picture to picture at a quarter of the cost, without irises.
    let liteLandmarker: FaceLandmarker
    private var rater: CaptureRater?

    private static let nearName = "face_detection_short_range"
    private static let farName = "face_detection_full_range_sparse"

    /// Those that every request needs.
    private static let names = [FaceLandmarker.fullName, farName, FaceLandmarker.liteName, nearName]

    /// - Parameter setup: a model file in it replaces both landmark models; the others stay.
    init(_ setup: ModelSetup) throws(VisionError) {
        self.setup = setup
        let compilations = Self.names.map { BackgroundCompilation($0, setup.withoutUserModel) }
        for compilation in compilations { compilation.wait() }
        defer { withExtendedLifetime(compilations) {} }
        near = try FaceDetector(Self.nearName, setup.withoutUserModel)
        far = try FaceDetector(Self.farName, setup.withoutUserModel)
        landmarker = try FaceLandmarker(FaceLandmarker.fullName, setup)
        closeLandmarker = try FaceLandmarker(FaceLandmarker.fullName, filter: .bilinear, setup)
        liteLandmarker =
            setup.hasUserModel
            ? closeLandmarker : try FaceLandmarker(FaceLandmarker.liteName, filter: .bilinear, setup)
    }

    /// Finds the models' files without loading them.
    static func check(_ setup: ModelSetup) throws(VisionError) {
        for name in [nearName, farName, FaceLandmarker.liteName] {
            _ = try setup.withoutUserModel.find(name)
        }
        _ = try setup.find(FaceLandmarker.fullName)
    }

    /// Rates captures; its model is loaded when it is first asked for.
    func captureRater() throws(VisionError) -> CaptureRater {
        if let rater { return rater }
        let fresh = try CaptureRater(setup.withoutUserModel)
        rater = fresh
        return fresh
    }
}
