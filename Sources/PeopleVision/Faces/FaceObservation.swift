public import Imaging

/// One face of an image.
///
/// Places are in the image's stored orientation, normalised to 0...1; angles are those of the upright
/// image, which a viewer sees.
public struct FaceObservation: TrackedObservation {
    /// The box around the face, forehead to chin; it may reach outside the image.
    public let boundingBox: Rectangle
    /// The models' certainty that this is a face, 0...1.
    public let confidence: Double
    /// Distinguishes the faces of an image; stays with a face when the request follows faces.
    public let id: Int
    /// Radians, -pi..<pi: positive when the head is turned counter-clockwise in the image.
    public let roll: Double
    /// Radians, -pi/2...pi/2: positive when the nose points to the right of the image.
    public let yaw: Double
    /// Radians, -pi/2...pi/2: positive when the nose points down.
    public let pitch: Double
    /// False when the angles are a guess: a profile, a face half hidden, or points that fit no head.
    public let anglesAreReliable: Bool
    /// The points of the face mesh, in MediaPipe's order: 478, of which the irises' ten are the last; the 468 without
    /// these in streams that were not asked for `FaceAttributes`.
    public let mesh: [FaceMeshPoint]
    /// The outlines of the face's parts, where the request was asked for them.
    public let landmarks: FaceLandmarks?
    /// How well the face was captured, 0...1, where the request was asked for it.
    ///
    /// To be compared between images of one person only: it chooses the best of a burst.
    public let captureQuality: Double?
}

/// A point of a face's mesh.
public struct FaceMeshPoint: Sendable, Equatable {
    /// Where it is, in the image's stored orientation, normalised.
    public let position: Point
    /// How much further from the camera it is than the middle of the head, as a share of the upright
    /// image's width.
    public let depth: Double
}
