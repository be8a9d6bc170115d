public import Imaging

/// A person of an image with all parts that were found.
///
/// Places are in the image's stored orientation, normalised to 0...1.
public struct PersonObservation: Sendable {
    /// Stays with a person of a stream as long as any part is seen; never used again for another one.
    ///
    /// Nil for a part without a known person.
    public let id: Int?
    /// Around the person: the box of the mask, or without one that of the body, the face or the first hand.
    public let boundingBox: Rectangle
    /// The person's mask, which `DetectPeopleRequest.masks` writes by the label.
    public let instance: MaskInstance?
    /// The joints of the body.
    public let body: HumanBodyPoseObservation?
    /// The face, and where it looks.
    public let face: FaceObservation?
    /// At most two.
    public let hands: [HumanHandPoseObservation]
}

/// What `DetectPeopleRequest` looks for.
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

    /// The attributes whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }
}
