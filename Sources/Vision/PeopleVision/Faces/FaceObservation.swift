public import Imaging

/// A face of an image.
///
/// Places are in the image's stored orientation, normalised to 0...1; angles are those of the upright image,
/// which a viewer sees.
public struct FaceObservation: TrackedObservation, Hashable, Codable {
    /// The box around the face, forehead to chin; it may reach outside the image.
    public let boundingBox: Rectangle
    /// The models' certainty that this is a face, 0...1.
    public let confidence: Double
    /// A number that distinguishes the faces of an image, and stays with a face when the request follows
    /// faces.
    public let id: Int
    /// Rotation in the image in radians, -pi..<pi: positive when the head is turned counter-clockwise.
    @_disfavoredOverload
    public let roll: Double
    /// Rotation to the side in radians, -pi/2...pi/2: positive when the nose points to the right of the
    /// image.
    @_disfavoredOverload
    public let yaw: Double
    /// Nod in radians, -pi/2...pi/2: positive when the nose points down.
    @_disfavoredOverload
    public let pitch: Double
    /// Whether the angles are reliable; false for a profile, a face half hidden, or points that fit no head.
    public let anglesAreReliable: Bool
    /// The points of the face mesh, in MediaPipe's order.
    ///
    /// There are 478 points, the last ten those of the irises. Streams without `FaceAttributes` have the 468
    /// points without irises.
    public let mesh: [FaceMeshPoint]
    /// The outlines of the face's parts, if requested.
    public let landmarks: FaceLandmarks?
    /// The quality of the face's capture, 0...1, if requested.
    ///
    /// Only images of one person can be compared: it chooses the best of a burst.
    @_disfavoredOverload
    public let captureQuality: Double?
    /// The identifier of this observation, which takes no part in comparisons.
    @_disfavoredOverload
    @Incomparable public private(set) var uuid = ObservationUUID()
}

/// A unit of angles.
public enum AngleUnit: Sendable {
    /// A full turn is 2 pi.
    case radians
    /// A full turn is 360.
    case degrees
}

extension FaceObservation {
    /// `captureQuality`, for a module in which another property of that name hides it.
    package var captureScore: Double? { captureQuality }

    /// Returns `roll`, `yaw` and `pitch` in a unit.
    public func angles(in unit: AngleUnit) -> (roll: Double, yaw: Double, pitch: Double) {
        let scale = unit == .degrees ? 180 / Double.pi : 1
        return (roll * scale, yaw * scale, pitch * scale)
    }
}

/// A point of a face's mesh.
public struct FaceMeshPoint: Sendable, Hashable, Codable {
    /// The place of the point, in the image's stored orientation, normalised.
    public let position: Point
    /// Distance behind the middle of the head, as seen from the camera, as a share of the upright image's
    /// width.
    public let depth: Double
}
