public import Imaging

/// Finds people and 19 joints of each, `HumanBodyPoseObservation.joints`.
///
/// `attributes` of the configuration add the body in space.
public final class DetectHumanBodyPoseRequest: BodyRequest {
    /// Revision 1 only.
    public static let supportedRevisions = 1...1

    /// The settings.
    public var configuration: BodyConfiguration
    /// The models and the people that are followed.
    public let pipeline = BodyPipeline()

    /// A request for the people of single pictures unless `configuration` says otherwise.
    public init(_ configuration: BodyConfiguration = BodyConfiguration()) {
        self.configuration = configuration
    }

    /// Finds the people of `image`.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> [HumanBodyPoseObservation] {
        try Self.check(revision: configuration.revision)
        return try pipeline.perform(on: image, orientation, configuration, [])
    }
}
