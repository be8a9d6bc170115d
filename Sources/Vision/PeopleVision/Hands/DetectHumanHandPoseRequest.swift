public import Imaging

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

/// A hand of an image: its joints, and its chirality.
///
/// Places are in the image's stored orientation, normalised to 0...1.
public struct HumanHandPoseObservation: TrackedObservation, Hashable {
    /// A joint, in the order of `joints`; raw values are the names in metadata.
    public enum JointName: String, CaseIterable, Sendable {
        case wrist
        case thumbCMC = "thumb-cmc"
        case thumbMP = "thumb-mp"
        case thumbIP = "thumb-ip"
        case thumbTip = "thumb-tip"
        case indexMCP = "index-mcp"
        case indexPIP = "index-pip"
        case indexDIP = "index-dip"
        case indexTip = "index-tip"
        case middleMCP = "middle-mcp"
        case middlePIP = "middle-pip"
        case middleDIP = "middle-dip"
        case middleTip = "middle-tip"
        case ringMCP = "ring-mcp"
        case ringPIP = "ring-pip"
        case ringDIP = "ring-dip"
        case ringTip = "ring-tip"
        case littleMCP = "little-mcp"
        case littlePIP = "little-pip"
        case littleDIP = "little-dip"
        case littleTip = "little-tip"

        /// The index in `HumanHandPoseObservation.joints`.
        public var index: Int { Self.indices[self] ?? 0 }

        private static let indices = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
    }

    /// Groups of joints; the wrist is in none.
    public enum JointsGroupName: String, CaseIterable, JointsGroup, Sendable {
        case thumb
        case indexFinger = "index-finger"
        case middleFinger = "middle-finger"
        case ringFinger = "ring-finger"
        case littleFinger = "little-finger"

        /// The group's joints, from the palm to the tip.
        public var joints: ArraySlice<JointName> {
            let first: JointName =
                switch self {
                case .thumb: .thumbCMC
                case .indexFinger: .indexMCP
                case .middleFinger: .middleMCP
                case .ringFinger: .ringMCP
                case .littleFinger: .littleMCP
                }
            return JointName.allCases[first.index..<first.index + 4]
        }
    }

    /// The chirality of the hand, from the person's point of view.
    public enum Chirality: String, CaseIterable, Codable, Sendable {
        case left
        case right
    }

    /// The box around the joints in the image.
    public let boundingBox: Rectangle
    /// The model's certainty that this is a hand, 0...1.
    public let confidence: Double
    /// A number that distinguishes the hands of an image, and stays with a hand when the request follows
    /// hands.
    public let id: Int
    /// Left or right.
    public let chirality: Chirality
    /// The model's certainty of the chirality, 0.5...1.
    public let chiralityConfidence: Double
    /// The joints, one for each of `JointName.allCases`.
    ///
    /// The model has no confidences of single joints: theirs are that of the hand, and 0 outside of the
    /// image.
    public let joints: [Joint]
    /// The joints in space, one for each of `JointName.allCases`.
    ///
    /// Positions are in metres from the middle of the hand, x to the right, y up and z towards the camera, as
    /// the upright image shows them. The model assumes an average hand: lengths are not measured.
    public let positions: [SIMD3<Double>]
    /// The identifier of this observation, which takes no part in comparisons.
    @_disfavoredOverload
    @Incomparable public private(set) var uuid = ObservationUUID()

    /// Returns the joint called `name`; nil where it is not seen: with a confidence of 0.
    public func joint(for name: JointName) -> Joint? {
        let joint = joint(name)
        return joint.confidence > 0 ? joint : nil
    }

    /// Returns the joint called `name`, seen or not.
    package func joint(_ name: JointName) -> Joint { joints[name.index] }
}

extension HumanHandPoseObservation: PoseProviding {}

extension HumanHandPoseObservation: Codable {
    /// Reads an observation that was encoded.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        boundingBox = try values.decode(Rectangle.self, forKey: .boundingBox)
        confidence = try values.decode(Double.self, forKey: .confidence)
        id = try values.decode(Int.self, forKey: .id)
        chirality = try values.decode(Chirality.self, forKey: .chirality)
        chiralityConfidence = try values.decode(Double.self, forKey: .chiralityConfidence)
        joints = try values.decode(JointName.allCases.count, of: Joint.self, forKey: .joints)
        positions = try values.decode(JointName.allCases.count, of: SIMD3<Double>.self, forKey: .positions)
        uuid = try values.decode(ObservationUUID.self, forKey: .uuid)
    }
}
