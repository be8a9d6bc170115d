/// Finds people and 19 joints of each, `HumanBodyPoseObservation.joints`.
///
/// `attributes` of the configuration add the body in space.
public final class DetectHumanBodyPoseRequest: BodyRequest {
    /// What it finds.
    public typealias Observation = [HumanBodyPoseObservation]

    /// Revision 1 only.
    public static let supportedRevisions = 1...1
    /// What every person comes with.
    public static let attributes: BodyAttributes = []

    /// The settings.
    public var configuration: BodyConfiguration
    /// The models and the people that are followed.
    public let pipeline = BodyPipeline()

    /// A request for the people of single pictures unless `configuration` says otherwise.
    public init(_ configuration: BodyConfiguration = BodyConfiguration()) {
        self.configuration = configuration
    }
}
