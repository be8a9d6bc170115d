/// Finds faces and the outlines of their parts, `FaceObservation.landmarks`: 76 points in named regions.
public final class DetectFaceLandmarksRequest: FaceRequest {
    /// Revision 1 only.
    public static let supportedRevisions = 1...1
    /// What every face comes with.
    public static let attributes: FaceAttributes = .landmarks

    /// The settings.
    public var configuration: FaceConfiguration
    /// The models and the faces that are followed.
    public let pipeline = FacePipeline()

    /// A request for the landmarks of single pictures unless `configuration` says otherwise.
    public init(_ configuration: FaceConfiguration = FaceConfiguration()) {
        self.configuration = configuration
    }
}
