/// The difference between the rotation from the tracked landmarks and a more accurate one.
///
/// The more accurate rotation comes from the landmarks of the full model, or of the mirrored image. It takes
/// three times as long as tracking, and the difference changes slowly. The difference is therefore kept in
/// the head's own axes and added to the rotations of the images that follow.
package struct PoseCorrection {
    /// The source of a more accurate rotation.
    package enum Reference {
        /// The full landmark model.
        case direct
        /// The full landmark model on the mirrored image.
        case mirrored
    }

    /// The differences to both references.
    private var direct: Rotation?
    private var mirrored: Rotation?
    /// The tracked rotation at the last update.
    private var updated: Rotation?
    /// The tracked rotation in the last frame.
    private var current: Rotation?
    /// Seconds since the last update.
    private var age = 0.0

    package init() {}

    /// Seconds after which an update is worth its cost.
    private static let interval = 2.0
    /// Rotation of the head in radians after which an update is worth its cost at once: 20 degrees.
    private static let farTurn = Double.pi / 9

    /// Ages the correction to the next frame, `seconds` after the last one.
    package mutating func age(by seconds: Double) { age += seconds }

    /// Change of the head or the stream since the last update.
    ///
    /// From 1 on an update is worth its cost, from 2 on also that of a search for new faces.
    package var staleness: Double {
        guard direct != nil, mirrored != nil, let updated, let current else { return 2 }
        return max(age / Self.interval, current.angle(to: updated) / Self.farTurn)
    }

    /// The reference for the next update; the references take turns.
    package private(set) var next = Reference.direct

    /// Updates the difference to one reference.
    ///
    /// - Parameters:
    ///   - accurate: the rotation from the reference, mirrored back for the mirrored image; nil when no face
    ///     was found.
    ///   - tracked: the rotation from the tracked landmarks.
    package mutating func update(_ accurate: Rotation?, _ reference: Reference, from tracked: Rotation) {
        let difference = accurate.map { tracked.difference(to: $0) }
        switch reference {
        case .direct: direct = Self.mean(direct, difference)
        case .mirrored: mirrored = Self.mean(mirrored, difference)
        }
        (updated, age, next) = (tracked, 0, reference == .direct ? .mirrored : .direct)
    }

    /// Returns the rotation from the tracked landmarks, corrected by the mean of both differences.
    package mutating func corrected(_ tracked: Rotation) -> Rotation {
        current = tracked
        let middle = direct.flatMap { direct in mirrored.flatMap { direct.middle(to: $0) } }
        guard let difference = middle ?? direct ?? mirrored else { return tracked }
        return tracked.after(difference)
    }

    /// Returns the middle of the old and the new difference, because each reference has noise of its own.
    ///
    /// Without differences it returns no rotation (all angles 0).
    private static func mean(_ old: Rotation?, _ new: Rotation?) -> Rotation? {
        guard let old, let new else { return new ?? old ?? Rotation(roll: 0, yaw: 0, pitch: 0) }
        return old.middle(to: new) ?? new
    }
}
