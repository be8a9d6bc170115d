import Glibc

/// Which way a head is turned, in radians; all 0 when it looks straight into the camera.
package struct HeadPose {
    /// Positive when the head is turned counter-clockwise in the image; -pi..<pi.
    package var roll: Double
    /// Positive when the nose points to the right of the image; -pi/2...pi/2.
    package var yaw: Double
    /// Positive when the nose points down; -pi/2...pi/2.
    package var pitch: Double

    /// The angles of a rotation = Rz(roll) Ry(yaw) Rx(pitch) from head to camera.
    package init(_ rotation: Rotation) {
        let (x, y, z) = (rotation.x, rotation.y, rotation.z)
        yaw = asin(min(max(-x.z, -1), 1))
        // Beyond a right angle the face would be turned away from the camera: the fit is wrong.
        pitch = min(max(atan2(y.z, z.z), -.pi / 2), .pi / 2)
        roll = HeadPose.wrapped(atan2(x.y, x.x))
    }

    /// A head of which only the turn in the image is known.
    static func unknown(roll: Double) -> HeadPose {
        HeadPose(roll: roll.isFinite ? wrapped(roll) : 0, yaw: 0, pitch: 0)
    }

    package init(roll: Double, yaw: Double, pitch: Double) {
        self.roll = roll
        self.yaw = yaw
        self.pitch = pitch
    }

    /// The angle of this direction in -pi..<pi.
    package static func wrapped(_ angle: Double) -> Double {
        guard angle.isFinite else { return angle }
        let rotated = (angle + .pi).truncatingRemainder(dividingBy: 2 * .pi)
        return (rotated < 0 ? rotated + 2 * .pi : rotated) - .pi
    }
}
