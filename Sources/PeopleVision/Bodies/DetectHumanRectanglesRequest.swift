public import Imaging

/// Finds people, and a box for each: of the upper body unless `upperBodyOnly` is off.
public final class DetectHumanRectanglesRequest: BodyRequest {
    /// Revision 1 only.
    public static let supportedRevisions = 1...1
    /// What every person comes with, besides a box.
    public static let attributes: BodyAttributes = []

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
    ) throws(VisionError) -> [HumanObservation] {
        try findBodies(in: image, orientation).map { HumanObservation($0) }
    }
}
