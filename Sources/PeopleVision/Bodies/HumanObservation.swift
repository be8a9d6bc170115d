public import Imaging

/// The box of one person of a picture.
public struct HumanObservation: Sendable, Equatable {
    /// In the picture's stored orientation, normalised to 0...1; within the picture.
    public let boundingBox: Rectangle
    /// Whether the box is that of the upper body: head, arms, and the trunk down to the hips.
    public let isUpperBodyOnly: Bool
    /// The model's certainty that this is a person, 0...1.
    public let confidence: Double
    /// Tells the people of a picture apart; stays with a person when the request follows people.
    public let id: Int

    init(_ body: HumanBodyPoseObservation) {
        boundingBox = body.boundingBox
        isUpperBodyOnly = body.isUpperBodyOnly
        confidence = body.confidence
        id = body.id
    }
}
