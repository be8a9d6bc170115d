public import Imaging

/// A person of an image with all parts found.
///
/// Places are in the image's stored orientation, normalised to 0...1.
public struct PersonObservation: VisionObservation, Hashable, Codable {
    /// A number that stays with a person of a stream as long as any part is seen, and is never used again.
    ///
    /// Nil for a part without a known person.
    public let id: Int?
    /// The box around the person: that of the mask, or else of the body, the face or the first hand.
    public let boundingBox: Rectangle
    /// The person's mask, which `DetectPeopleRequest.masks` writes by the label.
    public let instance: MaskInstance?
    /// The joints of the body.
    public let body: HumanBodyPoseObservation?
    /// The face, with its pose.
    public let face: FaceObservation?
    /// The hands, at most two.
    public let hands: [HumanHandPoseObservation]
    /// The identifier of this observation, which takes no part in comparisons.
    @_disfavoredOverload
    @Incomparable public private(set) var uuid = ObservationUUID()
}

/// The parts of people that `DetectPeopleRequest` can find.
public struct PersonAttributes: OptionSet, Sendable, Hashable {
    /// One bit per attribute.
    public let rawValue: Int

    /// `PersonObservation.instance`.
    public static let masks = PersonAttributes(rawValue: 1)
    /// `PersonObservation.body`.
    public static let bodies = PersonAttributes(rawValue: 2)
    /// `PersonObservation.face`.
    public static let faces = PersonAttributes(rawValue: 4)
    /// `PersonObservation.hands`.
    public static let hands = PersonAttributes(rawValue: 8)
    /// Everything.
    public static let all: PersonAttributes = [.masks, .bodies, .faces, .hands]

    /// Creates the set of the attributes whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }
}
