/// Finds faces and how well each was captured, `FaceObservation.captureQuality`.
///
/// The quality falls with blur, noise, bad light, a small or turned or hidden face, shut eyes and an open mouth.
/// It compares pictures of one person, for the best of a burst; between people it means nothing.
public final class DetectFaceCaptureQualityRequest: FaceRequest {
    /// Revision 1 only.
    public static let supportedRevisions = 1...1
    /// What every face comes with.
    public static let attributes: FaceAttributes = .captureQuality

    /// The settings.
    public var configuration: FaceConfiguration
    /// The models and the faces that are followed.
    public let pipeline = FacePipeline()

    /// A request for the capture quality of single pictures unless `configuration` says otherwise.
    public init(_ configuration: FaceConfiguration = FaceConfiguration()) {
        self.configuration = configuration
    }
}
