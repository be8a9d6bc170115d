/// Finds hands and 21 joints of each, several at once and at any rotation.
///
/// Left and right are correct only if the image is not mirrored, or its orientation says so.
public final class DetectHumanHandPoseRequest:
    TrackingRequest<DetectHumanHandPoseRequest.Configuration, HumanHandPoseObservation>, VisionRequest
{
    /// Creates a request; for the hands of single images unless `configuration` says otherwise.
    public init(_ configuration: Configuration = Configuration()) {
        super.init(configuration, TrackingPipeline<HandTracker>())
    }

    /// Finds the hands of `frame`.
    public func perform(on frame: InputFrame) throws(VisionError) -> [HumanHandPoseObservation] {
        try find(in: frame)
    }
}

extension DetectHumanHandPoseRequest {
    /// Settings of a hand request.
    public struct Configuration: TrackingConfiguration {
        /// Revision 1 only.
        public static let supportedRevisions = 1...1

        /// The revision to use; the newest by default.
        public var revision = supportedRevisions.upperBound
        /// The maximum number of hands to report; the largest are kept.
        public var maximumHandCount = 2
        /// The minimum confidence of reported hands, 0...1.
        public var minimumConfidence = 0.5
        /// The origin of the images: single ones, a recording or a camera.
        public var mode = AnalysisMode.image
        /// The part of the image that is analysed, normalised to 0...1; the whole image by default.
        public var regionOfInterest = NormalizedRect.unit
        /// Temporal smoothing of a stream's joints, 0...1; 0 is off.
        public var smoothing = 0.5
        /// The time of the stream from one search for hands to the next; nil searches the first frame only.
        public var searchInterval: Duration? = .milliseconds(200)
        /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
        public var device = "CPU"
        /// Threads for inference; 0 for as many as suit the models.
        public var threads = 0
        /// A landmark model to use instead of the built-in one, or a directory of models.
        public var modelPath: String?

        /// Creates settings for up to two hands of a single image.
        public init() {}

        /// The maximum number of hands, `maximumHandCount`.
        public var maximumCount: Int { maximumHandCount }
    }
}
