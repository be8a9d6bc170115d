/// The models of hand requests, loaded.
final class HandModels {
    /// Finds palms of any turn.
    let detector: PalmDetector
    let landmarker: HandLandmarker

    /// - Parameter setup: a model file in it replaces the landmark model; the other stays.
    init(_ setup: ModelSetup) throws(VisionError) {
        let compilations = [
            BackgroundCompilation(PalmDetector.name, setup.withoutUserModel),
            BackgroundCompilation(HandLandmarker.name, setup),
        ]
        for compilation in compilations { compilation.wait() }
        defer { withExtendedLifetime(compilations) {} }
        detector = try PalmDetector(setup.withoutUserModel)
        landmarker = try HandLandmarker(setup)
    }

    /// Finds the models' files without loading them.
    static func check(_ setup: ModelSetup) throws(VisionError) {
        _ = try setup.withoutUserModel.find(PalmDetector.name)
        _ = try setup.find(HandLandmarker.name)
    }
}
