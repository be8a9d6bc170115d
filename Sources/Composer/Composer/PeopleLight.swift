import Glibc
package import Imaging
import PeopleSettings

/// Brightens the people of a stream: by what the settings say, and where the picture is dark.
struct PeopleLight {
    private var (meter, clock) = (LightMeter(), FrameClock())
    private var automatic = LowLight()
    private var composition: (stops: Double, composition: Composition)?

    /// The smallest change of the light, in stops: about one code value of 8 bits at white, and less below.
    private static let step = 1.0 / 64

    /// Whether people stay as they are with some settings.
    static func isIdle(_ settings: BlendSettings) -> Bool {
        settings.peopleExposure == 0 && !settings.adjustsForLowLight
    }

    /// Begins an image that shares nothing with those before it.
    mutating func beginScene() { automatic = LowLight() }

    /// Handles a frame that does not follow the last one.
    mutating func interrupt() { clock.interrupt() }

    /// Returns a frame with another light on its people; nil where they stay as they are.
    ///
    /// - Parameters:
    ///   - mask: shows the people.
    ///   - time: the frame's, in nanoseconds.
    mutating func composition(
        for image: ImageView, _ mask: MaskView, _ settings: BlendSettings, at time: UInt64?
    ) -> Composition? {
        var stops = settings.peopleExposure
        if settings.adjustsForLowLight {
            stops += automatic.stops(
                for: meter.measure(image, mask), after: clock.step(to: time))
        }
        stops = (stops / Self.step).rounded() * Self.step
        guard stops != 0 else { return nil }
        if composition?.stops != stops { composition = (stops, Self.composition(stops)) }
        return composition?.composition
    }

    /// Returns the frame itself with another light where the mask shows people.
    private static func composition(_ stops: Double) -> Composition {
        Composition(source: .original, effects: [.highlight(Highlight(exposure: stops))], invert: true)
    }
}

/// Chooses how much light the people of a dark picture lack, evenly over time.
///
/// The darkness of the whole frame decides, not that of the people: dark skin or clothes are no lack of light.
package struct LowLight {
    /// Luma that cameras aim at: an object that reflects 18 % (ISO 12232), by the power law of screens (ITU-R BT.1886).
    private static let middle = powf(0.18, 1 / gamma)
    /// Luma of skin in the light, at most: cameras' zebra pattern for faces is set to 70 %.
    private static let skin: Float = 0.7
    /// Exponent from luma to light (ITU-R BT.1886).
    private static let gamma: Float = 2.4
    /// Stops below `middle` from which on a picture is dark: more than a camera with enough light errs.
    private static let tolerance = 1.5
    /// The most that is added, in stops: noise and the steps of 8 bits grow by the half, and not more.
    private static let maximum = 1.5
    /// Change of the wish that is followed, in stops: smaller ones come from people's motion, and from noise.
    private static let rest = 0.2
    /// Stops per second: about 1 % of light from frame to frame, which is not seen.
    private static let speed = 0.5

    private var (wanted, current) = (0.0, nil as Double?)

    package init() {}

    /// Returns the stops for a frame.
    ///
    /// - Parameters:
    ///   - reading: nil where it cannot be measured; nothing changes then.
    ///   - seconds: time since the frame before.
    package mutating func stops(for reading: LightReading?, after seconds: Double) -> Double {
        guard let reading else { return current ?? 0 }
        let lack = Self.lack(reading)
        guard let current else {
            (wanted, current) = (lack, lack)
            return lack
        }
        if abs(lack - wanted) > Self.rest { wanted = lack }
        let reach = Self.speed * min(max(seconds, 0), 1)
        let next = current + min(max(wanted - current, -reach), reach)
        self.current = next
        return next
    }

    /// Returns the stops that people lack.
    private static func lack(_ reading: LightReading) -> Double {
        let dark = stops(from: max(reading.frame, reading.people), to: middle) - tolerance
        let untilBright = stops(from: reading.brightest, to: skin)
        return min(max(min(dark, untilBright), 0), maximum)
    }

    /// Returns the stops of light from one luma to another.
    private static func stops(from luma: Float, to other: Float) -> Double {
        Double(gamma * log2f(other / max(luma, 1.0 / 255)))
    }
}
