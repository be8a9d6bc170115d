public import Imaging

/// A colour whose red, green and blue follow roll, pitch and yaw of a head.
package enum PoseColorMix {
    /// The angle at which a colour component reaches its limit, in radians.
    package static let fullAngle = Double.pi / 4

    /// Returns roll, pitch and yaw as shares of `fullAngle`, -1 to 1.
    package static func shares(roll: Double, pitch: Double, yaw: Double) -> SIMD3<Double> {
        (SIMD3(roll, pitch, yaw) / fullAngle)
            .clamped(lowerBound: SIMD3(repeating: -1), upperBound: SIMD3(repeating: 1))
    }

    /// Returns red, green and blue, 0 to 1; each is a half at an angle of 0.
    package static func components(_ shares: SIMD3<Double>) -> SIMD3<Double> { shares / 2 + 0.5 }
}

extension RGBColor {
    /// Creates the colour of a head's pose: red follows the roll, green the pitch and blue the yaw.
    ///
    /// Each is 0 at -45 degrees or less, 128 where the head looks straight into the camera, and 255 at 45 degrees
    /// or more.
    public init(poseOf face: FaceObservation) {
        let shares = PoseColorMix.shares(roll: face.roll, pitch: face.pitch, yaw: face.yaw)
        self.init(PoseColorMix.components(shares))
    }

    /// Creates a colour from components of 0 to 1; those that are no numbers count as 0.
    package init(_ components: SIMD3<Double>) {
        func byte(_ value: Double) -> UInt8 { UInt8(exactly: min(max(value * 255, 0), 255).rounded()) ?? 0 }
        self.init(red: byte(components.x), green: byte(components.y), blue: byte(components.z))
    }
}
