/// The models of body requests, loaded.
final class BodyModels {
    /// Finds people of any size.
    let people: PersonDetector
    /// Tells how a person's body lies in a box.
    let detector: BodyDetector
    let landmarker: BodyLandmarker

    /// - Parameter setup: a model file in it replaces the landmark model; the others stay.
    init(_ setup: ModelSetup) throws(VisionError) {
        let compilations = [
            PersonDetector.compilation(setup),
            BackgroundCompilation(BodyDetector.name, setup.withoutUserModel),
            BackgroundCompilation(BodyLandmarker.name, setup),
        ]
        for compilation in compilations { compilation.wait() }
        defer { withExtendedLifetime(compilations) {} }
        people = try PersonDetector(setup)
        detector = try BodyDetector(setup.withoutUserModel)
        landmarker = try BodyLandmarker(setup)
    }

    /// Finds the models' files without loading them.
    static func check(_ setup: ModelSetup) throws(VisionError) {
        for name in [PersonDetector.name, BodyDetector.name] { _ = try setup.withoutUserModel.find(name) }
        _ = try setup.find(BodyLandmarker.name)
    }
}
