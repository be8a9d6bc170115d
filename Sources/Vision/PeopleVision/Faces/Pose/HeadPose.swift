import Glibc

/// The pose of a head, in radians; all angles are 0 when the head looks straight into the camera.
package struct HeadPose {
    /// Rotation in the image, -pi..<pi; positive when the head is turned counter-clockwise.
    package var roll: Double
    /// Rotation to the side, -pi/2...pi/2; positive when the nose points to the right of the image.
    package var yaw: Double
    /// Nod, -pi/2...pi/2; positive when the nose points down.
    package var pitch: Double

    /// Computes the angles of a rotation = Rz(roll) Ry(yaw) Rx(pitch) from head to camera.
    package init(_ rotation: Rotation) {
        let (x, y, z) = (rotation.x, rotation.y, rotation.z)
        yaw = asin(min(max(-x.z, -1), 1))
        // Beyond a right angle the face would be turned away from the camera: the fit is wrong.
        pitch = min(max(atan2(y.z, z.z), -.pi / 2), .pi / 2)
        roll = HeadPose.wrapped(atan2(x.y, x.x))
    }

    /// Returns the pose of a head of which only the rotation in the image is known.
    static func unknown(roll: Double) -> HeadPose {
        HeadPose(roll: roll.isFinite ? wrapped(roll) : 0, yaw: 0, pitch: 0)
    }

    package init(roll: Double, yaw: Double, pitch: Double) {
        self.roll = roll
        self.yaw = yaw
        self.pitch = pitch
    }

    /// Returns the angle of the same direction in -pi..<pi.
    package static func wrapped(_ angle: Double) -> Double {
        guard angle.isFinite else { return angle }
        let rotated = (angle + .pi).truncatingRemainder(dividingBy: 2 * .pi)
        return (rotated < 0 ? rotated + 2 * .pi : rotated) - .pi
    }
}
