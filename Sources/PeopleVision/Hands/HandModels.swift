/// The models of hand requests, loaded.
final class HandModels: TrackingModels {
    typealias Configuration = HandConfiguration

    /// Finds palms of any turn.
    let detector: PalmDetector
    let landmarker: HandLandmarker

    private static func uses(_ setup: ModelSetup) -> [ModelUse] {
        [ModelUse(PalmDetector.name, setup.withoutUserModel), ModelUse(HandLandmarker.name, setup)]
    }

    /// - Parameter setup: a model file in it replaces the landmark model; the other stays.
    init(_ setup: ModelSetup) throws(VisionError) {
        let compiled = Self.uses(setup).compileAll()
        defer { withExtendedLifetime(compiled) {} }
        detector = try PalmDetector(setup.withoutUserModel)
        landmarker = try HandLandmarker(setup)
    }

    /// Finds the models' files without loading them.
    static func check(_ setup: ModelSetup) throws(VisionError) { try uses(setup).checkAll() }
}
