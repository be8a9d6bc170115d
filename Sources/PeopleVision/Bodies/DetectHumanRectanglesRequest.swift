public import Imaging

/// Finds people, and a box for each: of the upper body unless `upperBodyOnly` is off.
public final class DetectHumanRectanglesRequest: BodyRequest, VisionRequest {
    /// Finds the people of `frame`.
    public func perform(on frame: InputFrame) throws(VisionError) -> [HumanObservation] {
        try find(in: frame).map { HumanObservation($0) }
    }
}

/// The box of one person of an image.
public struct HumanObservation: TrackedObservation, Equatable {
    /// In the image's stored orientation, normalised to 0...1; within the image.
    public let boundingBox: Rectangle
    /// Whether the box is that of the upper body: head, arms, and the trunk down to the hips.
    public let isUpperBodyOnly: Bool
    /// The model's certainty that this is a person, 0...1.
    public let confidence: Double
    /// Distinguishes the people of an image; stays with a person when the request follows a stream.
    public let id: Int

    init(_ body: HumanBodyPoseObservation) {
        boundingBox = body.boundingBox
        isUpperBodyOnly = body.isUpperBodyOnly
        confidence = body.confidence
        id = body.id
    }
}
