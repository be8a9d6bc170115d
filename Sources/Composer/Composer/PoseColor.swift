import Glibc
package import Imaging
package import PeopleSettings
import PeopleVision

/// A colour that follows the direction of a face.
///
/// The angles ease towards the face's, so that the colour does not jump when a face comes back. While no face
/// is seen, the angles stay.
package struct PoseColor {
    /// Time in which the angles cover two thirds of the distance, in seconds.
    private static let easing = 0.2

    private var shares: SIMD3<Double>?
    private var clock = FrameClock()

    /// Creates the colour of a stream, before its first face.
    package init() {}

    /// Returns the colour of a frame shown at `time` (nanoseconds), with the pose of its face if there is
    /// one.
    package mutating func color(
        _ pose: FaceDirection?, showing angle: PoseAngleChoice, at time: UInt64?
    ) -> RGBColor {
        let way = 1 - exp(-clock.step(to: time) / Self.easing)
        if let pose {
            let wanted = pose.shares
            shares = shares.map { $0 + (wanted - $0) * way } ?? wanted
        }
        return RGBColor(angle.components(shares ?? SIMD3()))
    }

    /// Handles a frame that does not follow the last one.
    package mutating func interrupt() { clock.interrupt() }
}

/// The direction of a face, in radians; `GstPeopleFaces` in docs/metadata.md defines the signs.
package struct FaceDirection: Sendable {
    package var roll: Double
    package var yaw: Double
    package var pitch: Double

    package init(roll: Double, yaw: Double, pitch: Double) {
        (self.roll, self.yaw, self.pitch) = (roll, yaw, pitch)
    }

    /// Roll, pitch and yaw as shares of the angle at which a colour reaches its limit, -1 to 1.
    fileprivate var shares: SIMD3<Double> { PoseColorMix.shares(roll: roll, pitch: pitch, yaw: yaw) }
}

extension PoseAngleChoice {
    /// Returns red, green and blue, 0 to 1, from the shares of roll, pitch and yaw.
    fileprivate func components(_ shares: SIMD3<Double>) -> SIMD3<Double> {
        switch self {
        case .all: PoseColorMix.components(shares)
        case .roll: Self.redOrBlue(shares.x)
        case .pitch: Self.redOrBlue(shares.y)
        case .yaw: Self.redOrBlue(shares.z)
        }
    }

    private static func redOrBlue(_ share: Double) -> SIMD3<Double> {
        let pale = 1 - abs(share)
        return SIMD3(share < 0 ? pale : 1, pale, share > 0 ? pale : 1)
    }
}
