/// Finds people and 17 joints of each in space, `HumanBodyPoseObservation.pose3D`.
///
/// For the most prominent person alone set `maximumPeople` to 1.
public final class DetectHumanBodyPose3DRequest: BodyRequest {
    /// What it finds.
    public typealias Observation = [HumanBodyPoseObservation]

    /// Revision 1 only.
    public static let supportedRevisions = 1...1
    /// What every person comes with.
    public static let attributes: BodyAttributes = .pose3D

    /// The settings.
    public var configuration: BodyConfiguration
    /// The models and the people that are followed.
    public let pipeline = BodyPipeline()

    /// A request for the people of single pictures unless `configuration` says otherwise.
    public init(_ configuration: BodyConfiguration = BodyConfiguration()) {
        self.configuration = configuration
    }
}
