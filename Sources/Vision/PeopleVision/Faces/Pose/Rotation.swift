import Glibc

/// The directions of the head's axes in the camera's space: x right, y up, z towards the camera.
package struct Rotation {
    /// The head's right, as the viewer sees it.
    package var x: SIMD3<Double>
    /// The head's up.
    package var y: SIMD3<Double>
    /// The direction of the nose.
    package var z: SIMD3<Double>

    /// Creates the nearest right-handed axes to an across and an up direction; nil when they do not span a
    /// plane.
    package init?(across: SIMD3<Double>, up: SIMD3<Double>) {
        let ahead = across.crossed(up)
        guard let x = across.normalized, let z = ahead.normalized else { return nil }
        self.x = x
        self.z = z
        y = z.crossed(x)
    }

    /// Creates the rotation Rz(roll) Ry(yaw) Rx(pitch), which has these angles.
    package init(roll: Double, yaw: Double, pitch: Double) {
        let (sr, cr, sy, cy) = (sin(roll), cos(roll), sin(yaw), cos(yaw))
        let (sp, cp) = (sin(pitch), cos(pitch))
        x = SIMD3(cr * cy, sr * cy, -sy)
        y = SIMD3(cr * sy * sp - sr * cp, sr * sy * sp + cr * cp, cy * sp)
        z = SIMD3(cr * sy * cp + sr * sp, sr * sy * cp - cr * sp, cy * cp)
    }

    /// Rotates a point of the head into the camera's space.
    package func turn(_ point: SIMD3<Double>) -> SIMD3<Double> { x * point.x + y * point.y + z * point.z }

    /// Returns this rotation after `other`, which is one in the head's axes.
    package func after(_ other: Rotation) -> Rotation {
        var product = self
        (product.x, product.y, product.z) = (turn(other.x), turn(other.y), turn(other.z))
        return product
    }

    /// Returns the rotation in the head's axes that leads from this one to `other`: this one `after` it is
    /// `other`.
    package func difference(to other: Rotation) -> Rotation {
        var difference = self
        (difference.x, difference.y, difference.z) = (toHead(other.x), toHead(other.y), toHead(other.z))
        return difference
    }

    /// Converts a direction of the camera's space to the head's axes.
    private func toHead(_ direction: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(x.dot(direction), y.dot(direction), z.dot(direction))
    }

    /// Returns the angle between this and another rotation, in radians, 0...pi.
    package func angle(to other: Rotation) -> Double {
        let cosine = (x.dot(other.x) + y.dot(other.y) + z.dot(other.z) - 1) / 2
        return acos(min(max(cosine, -1), 1))
    }

    /// The rotation of the same head in a mirrored image.
    package var mirrored: Rotation {
        var mirrored = self
        mirrored.x = x * SIMD3(1, -1, -1)
        mirrored.y = y * SIMD3(-1, 1, 1)
        mirrored.z = z * SIMD3(-1, 1, 1)
        return mirrored
    }

    /// Returns the rotation half way to one that differs little; nil when the other is the opposite.
    package func middle(to other: Rotation) -> Rotation? {
        Rotation(across: x + other.x, up: y + other.y)
    }

    /// Rotates further by `turn`: axis and angle in radians in one vector.
    package mutating func rotate(by turn: SIMD3<Double>) {
        let angle = turn.length
        guard angle > 1e-12 else { return }
        let axis = turn / angle
        let (cosine, sine) = (cos(angle), sin(angle))
        // Rodrigues' formula.
        func rotated(_ v: SIMD3<Double>) -> SIMD3<Double> {
            v * cosine + axis.crossed(v) * sine + axis * (axis.dot(v) * (1 - cosine))
        }
        guard let across = rotated(x).normalized, let fresh = Rotation(across: across, up: rotated(y)) else {
            return
        }
        self = fresh
    }
}
