public import Imaging

/// One hand of an image: its joints, and which hand it is.
///
/// Places are in the image's stored orientation, normalised to 0...1.
public struct HumanHandPoseObservation: TrackedObservation {
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

        /// The place in `HumanHandPoseObservation.joints`.
        public var index: Int { Self.indices[self] ?? 0 }

        private static let indices = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
    }

    /// Joints that belong together; the wrist is in none.
    public enum JointsGroupName: String, CaseIterable, Sendable {
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

    /// Whose hand it is, seen from the person.
    public enum Chirality: String, CaseIterable, Sendable {
        case left
        case right
    }

    /// The box around the joints in the image.
    public let boundingBox: Rectangle
    /// The model's certainty that this is a hand, 0...1.
    public let confidence: Double
    /// Distinguishes the hands of an image; stays with a hand when the request follows hands.
    public let id: Int
    /// Left or right.
    public let chirality: Chirality
    /// The model's certainty of that, 0.5...1.
    public let chiralityConfidence: Double
    /// One for each of `JointName.allCases`; the model does not tell confidences of single joints: they are that of the
    /// hand, and 0 outside of the image.
    public let joints: [Joint]
    /// The joints in space, one for each of `JointName.allCases`: metres from the middle of the hand, x to the right,
    /// y up and z towards the camera, as the upright image shows them.
    ///
    /// The model sees a hand of its own size: lengths are those of an average hand, not measured.
    public let positions: [SIMD3<Double>]

    /// The joint called `name`.
    public func joint(_ name: JointName) -> Joint { joints[name.index] }

    /// Names and joints of a group.
    public func joints(in group: JointsGroupName) -> [(name: JointName, joint: Joint)] {
        group.joints.map { ($0, joint($0)) }
    }
}
