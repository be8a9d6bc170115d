/// The models of face requests, loaded.
final class FaceModels {
    let setup: ModelSetup
    /// Finds faces within about two metres of the camera.
    let near: FaceDetector
    /// Finds faces within about five metres.
    let far: FaceDetector
    let landmarker: FaceLandmarker
    private var rater: CaptureRater?

    private static let nearName = "face_detection_short_range"
    private static let farName = "face_detection_full_range_sparse"

    /// - Parameter setup: a model file in it replaces the landmark model; the others stay.
    init(_ setup: ModelSetup) throws(VisionError) {
        self.setup = setup
        near = try FaceDetector(Self.nearName, setup.withoutModelFile)
        far = try FaceDetector(Self.farName, setup.withoutModelFile)
        landmarker = try FaceLandmarker(setup)
    }

    /// Finds the models' files without loading them.
    static func check(_ setup: ModelSetup) throws(VisionError) {
        for name in [nearName, farName] { _ = try setup.withoutModelFile.find(name) }
        _ = try setup.find(FaceLandmarker.modelName)
    }

    /// Rates captures; its model is loaded when it is first asked for.
    func captureRater() throws(VisionError) -> CaptureRater {
        if let rater { return rater }
        let fresh = try CaptureRater(setup.withoutModelFile)
        rater = fresh
        return fresh
    }
}
