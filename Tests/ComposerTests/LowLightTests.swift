import Composer
import Imaging
import TestSupport
import Testing

/// The light that is added to people of dark pictures, over time.
struct LowLightTests {
    /// The light of a stream, which expectations may change.
    private final class Light {
        private var light = LowLight()

        func stops(for reading: LightReading?, after seconds: Double) -> Double {
            light.stops(for: reading, after: seconds)
        }
    }

    private static func reading(_ frame: Float, people: Float? = nil, brightest: Float? = nil) -> LightReading
    {
        LightReading(
            frame: frame, people: people ?? frame, brightest: brightest ?? min(1, 1.3 * (people ?? frame)))
    }

    private static let (dark, bright) = (reading(0.15), reading(0.45))
    private static let frame = 1.0 / 30

    @Test func onlyDarkPicturesGetLight() {
        for (luma, wanted) in [(Float(0.5), 0.0), (0.35, 0), (0.25, 0.83), (0.15, 1.5), (0, 1.5)] {
            let light = Light()
            // The luma of the middle is 0.4895; light is its power of 2.4.
            #expect(abs(light.stops(for: Self.reading(luma), after: Self.frame) - wanted) < 0.02, "\(luma)")
        }
    }

    /// Dark skin and clothes in a room with enough light, and a face in the light before a black curtain.
    @Test func darkPeopleAndDarkRoomsAreNoLackOfLight() {
        let clothes = Light()
        #expect(clothes.stops(for: Self.reading(0.45, people: 0.12), after: Self.frame) == 0)
        let curtain = Light()
        let face = Self.reading(0.08, people: 0.4, brightest: 0.6)
        #expect(curtain.stops(for: face, after: Self.frame) == 0)
    }

    /// No face gets brighter than the luma of skin.
    @Test func facesInTheLightAreNotBlownOut() {
        let light = Light()
        let lamp = Self.reading(0.12, people: 0.2, brightest: 0.6)
        let stops = light.stops(for: lamp, after: Self.frame)
        #expect(stops > 0.3 && stops < 0.6)
        let bright = Light()
        #expect(
            bright.stops(for: Self.reading(0.12, people: 0.2, brightest: 0.9), after: Self.frame) == 0)
    }

    /// Noise and small motions of people change nothing, from frame to frame and at all.
    @Test func noiseDoesNotFlicker() {
        let light = Light()
        var generator = SeededGenerator(seed: 3)
        let first = light.stops(for: Self.reading(0.22), after: Self.frame)
        for _ in 0..<300 {
            let noise = Float.random(in: -0.005...0.005, using: &generator)
            #expect(light.stops(for: Self.reading(0.22 + noise), after: Self.frame) == first)
        }
    }

    /// A lamp that is switched off: half a stop for each second, without a jump, and never more than is lacking.
    @Test func changesAreSlow() {
        let light = Light()
        #expect(light.stops(for: Self.bright, after: Self.frame) == 0)
        var last = 0.0
        for index in 1...150 {
            let stops = light.stops(for: Self.dark, after: Self.frame)
            #expect(stops - last <= 0.5 * Self.frame + 1e-9 && stops >= last)
            if index == 60 { #expect(abs(stops - 1) < 0.01) }
            last = stops
        }
        #expect(last == 1.5)
        // After a pause of the stream, too.
        #expect(light.stops(for: Self.bright, after: 60) == 1)
        #expect(light.stops(for: Self.bright, after: -1) == 1)
    }

    @Test func whatCannotBeMeasuredChangesNothing() {
        let light = Light()
        #expect(light.stops(for: nil, after: Self.frame) == 0)
        #expect(light.stops(for: Self.dark, after: Self.frame) == 1.5)
        for _ in 0..<60 { #expect(light.stops(for: nil, after: Self.frame) == 1.5) }
        #expect(light.stops(for: Self.reading(.nan), after: Self.frame).isFinite)
    }
}
