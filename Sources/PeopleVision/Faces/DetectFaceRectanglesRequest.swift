/// Finds faces, and which way the heads are turned.
///
/// `attributes` of the configuration add landmarks, capture quality, or both.
public final class DetectFaceRectanglesRequest: FaceRequest {
    /// Revision 1 only.
    public static let supportedRevisions = 1...1
    /// What every face comes with.
    public static let attributes: FaceAttributes = []

    /// The settings.
    public var configuration: FaceConfiguration
    /// The models and the faces that are followed.
    public let pipeline = FacePipeline()

    /// A request for the faces of single pictures unless `configuration` says otherwise.
    public init(_ configuration: FaceConfiguration = FaceConfiguration()) {
        self.configuration = configuration
    }
}
