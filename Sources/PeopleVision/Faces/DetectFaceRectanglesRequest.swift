public import Imaging

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

    /// Finds the faces of `image`.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> [FaceObservation] {
        try Self.check(revision: configuration.revision)
        return try pipeline.perform(on: image, orientation, configuration, Self.attributes)
    }
}
