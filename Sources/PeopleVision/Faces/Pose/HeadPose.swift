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
        // Beyond a right angle the face would look away from the camera: a fit gone wrong.
        pitch = min(max(atan2(y.z, z.z), -.pi / 2), .pi / 2)
        roll = HeadPose.wrapped(atan2(x.y, x.x))
    }

    /// A head of which only the turn in the picture is known.
    static func unknown(roll: Double) -> HeadPose {
        HeadPose(roll: roll.isFinite ? wrapped(roll) : 0, yaw: 0, pitch: 0)
    }

    package init(roll: Double, yaw: Double, pitch: Double) {
        self.roll = roll
        self.yaw = yaw
        self.pitch = pitch
    }

    /// The same direction in -pi..<pi.
    package static func wrapped(_ angle: Double) -> Double {
        guard angle.isFinite else { return angle }
        let turned = (angle + .pi).truncatingRemainder(dividingBy: 2 * .pi)
        return (turned < 0 ? turned + 2 * .pi : turned) - .pi
    }
}

/// Where the head's axes point in the camera's space: x right, y up, z towards the camera.
package struct Rotation {
    /// The head's right, as the viewer sees it.
    package var x: SIMD3<Double>
    /// The head's up.
    package var y: SIMD3<Double>
    /// Where the nose points.
    package var z: SIMD3<Double>

    /// The nearest right-handed axes to an across and an up direction; nil when they do not span a plane.
    package init?(across: SIMD3<Double>, up: SIMD3<Double>) {
        let ahead = across.crossed(up)
        guard let x = across.normalized, let z = ahead.normalized else { return nil }
        self.x = x
        self.z = z
        y = z.crossed(x)
    }

    /// Rz(roll) Ry(yaw) Rx(pitch): the rotation that has these angles.
    package init(roll: Double, yaw: Double, pitch: Double) {
        let (sr, cr, sy, cy) = (sin(roll), cos(roll), sin(yaw), cos(yaw))
        let (sp, cp) = (sin(pitch), cos(pitch))
        x = SIMD3(cr * cy, sr * cy, -sy)
        y = SIMD3(cr * sy * sp - sr * cp, sr * sy * sp + cr * cp, cy * sp)
        z = SIMD3(cr * sy * cp + sr * sp, sr * sy * cp - cr * sp, cy * cp)
    }

    /// A point of the head, turned into the camera's space.
    package func turn(_ point: SIMD3<Double>) -> SIMD3<Double> { x * point.x + y * point.y + z * point.z }

    /// That of the same head in a mirrored picture.
    package var mirrored: Rotation {
        var mirrored = self
        mirrored.x = x * SIMD3(1, -1, -1)
        mirrored.y = y * SIMD3(-1, 1, 1)
        mirrored.z = z * SIMD3(-1, 1, 1)
        return mirrored
    }

    /// Half way to a rotation that differs little; nil when it is the opposite.
    package func middle(to other: Rotation) -> Rotation? {
        Rotation(across: x + other.x, up: y + other.y)
    }

    /// Turned further by `turn`: axis and angle in radians in one vector.
    package mutating func rotate(by turn: SIMD3<Double>) {
        let angle = turn.length
        guard angle > 1e-12 else { return }
        let axis = turn / angle
        let (cosine, sine) = (cos(angle), sin(angle))
        // Rodrigues' formula.
        func turned(_ v: SIMD3<Double>) -> SIMD3<Double> {
            v * cosine + axis.crossed(v) * sine + axis * (axis.dot(v) * (1 - cosine))
        }
        guard let across = turned(x).normalized, let fresh = Rotation(across: across, up: turned(y)) else {
            return
        }
        self = fresh
    }
}

extension SIMD3<Double> {
    func dot(_ other: Self) -> Double { (self * other).sum() }
    var length: Double { dot(self).squareRoot() }

    /// Of length 1; nil when too short or not finite.
    var normalized: Self? {
        let length = length
        return length.isFinite && length > 1e-12 ? self / length : nil
    }

    func crossed(_ other: Self) -> Self {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}
