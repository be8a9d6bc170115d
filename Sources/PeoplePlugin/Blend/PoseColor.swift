import Glibc
import Imaging

/// A colour that follows where a face looks: red is roll, green pitch and blue yaw.
///
/// Half of a component is an angle of 0; `fullAngle` or more to either side is all or none of it. The
/// colour eases towards the face's, so that a face which comes back does not make it jump; while
/// no face is seen, it stays.
struct PoseColor {
    /// The angle at which a component reaches its end, in radians.
    static let fullAngle = Double.pi / 4
    /// Time in which the colour covers two thirds of the way, in seconds.
    private static let easing = 0.2
    /// For frames that do not say when they are shown, in seconds.
    private static let usualStep = 1.0 / 30

    private var components: SIMD3<Double>?
    private var lastTime: UInt64?

    /// The colour of a frame shown at `time` (nanoseconds) that shows a face with these angles, or none.
    mutating func color(_ pose: HeadPose?, at time: UInt64?) -> RGBColor {
        let share = 1 - exp(-step(to: time) / Self.easing)
        if let pose {
            let wanted = pose.components(fullAngle: Self.fullAngle)
            components = components.map { $0 + (wanted - $0) * share } ?? wanted
        }
        return RGBColor(components ?? SIMD3(repeating: 0.5))
    }

    /// The next frame does not follow the last.
    mutating func interrupt() { lastTime = nil }

    private mutating func step(to time: UInt64?) -> Double {
        defer { lastTime = time }
        guard let time, let lastTime, time > lastTime else { return Self.usualStep }
        return Double(time - lastTime) / 1e9
    }
}

/// Where a head is turned, in radians; `GstPeopleFaces` in docs/metadata.md defines the signs.
struct HeadPose {
    var roll: Double
    var yaw: Double
    var pitch: Double

    /// Red, green and blue, 0 to 1.
    fileprivate func components(fullAngle: Double) -> SIMD3<Double> {
        let shares = SIMD3(roll, pitch, yaw) / (2 * fullAngle) + 0.5
        return shares.clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1))
    }
}

extension RGBColor {
    fileprivate init(_ components: SIMD3<Double>) {
        let bytes = components * 255
        self.init(red: byte(bytes.x), green: byte(bytes.y), blue: byte(bytes.z))
    }
}

/// The nearest byte; an undefined number, which outside data may hold, is nothing.
private func byte(_ value: Double) -> UInt8 { UInt8(exactly: min(max(value, 0), 255).rounded()) ?? 0 }
