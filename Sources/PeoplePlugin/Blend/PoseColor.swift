import Glibc
import Imaging
import PeopleSettings

/// A colour that follows the direction of a face.
///
/// The angles ease towards the face's, so that the colour does not jump when a face comes back. While no face
/// is seen, the angles stay.
struct PoseColor {
    /// The angle at which a colour component reaches its limit, in radians.
    static let fullAngle = Double.pi / 4
    /// Time in which the angles cover two thirds of the distance, in seconds.
    private static let easing = 0.2
    /// Step for frames without a presentation time, in seconds.
    private static let usualStep = 1.0 / 30

    private var shares: SIMD3<Double>?
    private var lastTime: UInt64?

    /// Returns the colour of a frame shown at `time` (nanoseconds), with the pose of its face if there is
    /// one.
    mutating func color(_ pose: HeadPose?, showing angle: PoseAngleChoice, at time: UInt64?) -> RGBColor {
        let way = 1 - exp(-step(to: time) / Self.easing)
        if let pose {
            let wanted = pose.shares(of: Self.fullAngle)
            shares = shares.map { $0 + (wanted - $0) * way } ?? wanted
        }
        return RGBColor(angle.components(shares ?? SIMD3()))
    }

    /// Handles a frame that does not follow the last one.
    mutating func interrupt() { lastTime = nil }

    private mutating func step(to time: UInt64?) -> Double {
        defer { lastTime = time }
        guard let time, let lastTime, time > lastTime else { return Self.usualStep }
        return Double(time - lastTime) / 1e9
    }
}

/// The direction of a head, in radians; `GstPeopleFaces` in docs/metadata.md defines the signs.
struct HeadPose {
    var roll: Double
    var yaw: Double
    var pitch: Double

    /// Returns roll, pitch and yaw as shares of an angle, -1 to 1.
    fileprivate func shares(of fullAngle: Double) -> SIMD3<Double> {
        let shares = SIMD3(roll, pitch, yaw) / fullAngle
        return shares.clamped(lowerBound: SIMD3(repeating: -1), upperBound: SIMD3(repeating: 1))
    }
}

extension PoseAngleChoice {
    /// Returns red, green and blue, 0 to 1, from the shares of roll, pitch and yaw.
    fileprivate func components(_ shares: SIMD3<Double>) -> SIMD3<Double> {
        switch self {
        case .all: shares / 2 + 0.5
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

extension RGBColor {
    fileprivate init(_ components: SIMD3<Double>) {
        let bytes = components * 255
        self.init(red: byte(bytes.x), green: byte(bytes.y), blue: byte(bytes.z))
    }
}

/// Returns the nearest byte; 0 for an undefined number, which data from outside may contain.
private func byte(_ value: Double) -> UInt8 { UInt8(exactly: min(max(value, 0), 255).rounded()) ?? 0 }
