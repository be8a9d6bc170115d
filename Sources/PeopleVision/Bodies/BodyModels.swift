/// The models of body requests, loaded.
final class BodyModels: TrackingModels {
    typealias Configuration = BodyConfiguration

    /// Finds people of any size.
    let people: PersonDetector
    /// Finds how a person's body lies in a box.
    let detector: BodyDetector
    let landmarker: BodyLandmarker

    private static func uses(_ setup: ModelSetup) -> [ModelUse] {
        [
            ModelUse(PersonDetector.name, setup.withoutUserModel),
            ModelUse(BodyDetector.name, setup.withoutUserModel), ModelUse(BodyLandmarker.name, setup),
        ]
    }

    /// - Parameter setup: a model file in it replaces the landmark model; the others stay.
    init(_ setup: ModelSetup) throws(VisionError) {
        let compiled = Self.uses(setup).compileAll()
        defer { withExtendedLifetime(compiled) {} }
        people = try PersonDetector(setup)
        detector = try BodyDetector(setup.withoutUserModel)
        landmarker = try BodyLandmarker(setup)
    }

    /// Finds the models' files without loading them.
    static func check(_ setup: ModelSetup) throws(VisionError) { try uses(setup).checkAll() }
}
