import PeopleVision
import TestSupport
import Testing

/// Tests of the measurements of a face's surface, on surfaces with known values.
@Suite struct FaceSurfaceTests {
    private let side = 96

    private func surface(_ value: (_ x: Int, _ y: Int) -> Double) -> FaceSurface {
        let grey = (0..<side * side).map { Float(value($0 % side, $0 / side)) }
        var surface = FaceSurface()
        grey.withUnsafeBufferPointer { surface.measure($0, side: side) }
        return surface
    }

    private func normal(_ generator: inout SeededGenerator) -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + generator.number(0...1) }
    }

    @Test func aPlainSurfaceHasNothingButBrightness() {
        let plain = surface { _, _ in 0.4 }
        #expect(abs(plain.brightness - 0.4) < 1e-6)
        #expect(plain.contrast < 1e-3 && plain.noise < 2e-3 && plain.edges < 2e-3 && plain.clipped == 0)
    }

    @Test(arguments: [0.01, 0.03, 0.08])
    func noiseIsMeasuredAndIsNoEdge(_ deviation: Double) {
        var generator = SeededGenerator(seed: 17)
        let noisy = surface { _, _ in 0.5 + deviation * normal(&generator) }
        #expect(abs(noisy.noise - deviation) < 0.08 * deviation + 0.001, "\(noisy.noise)")
        #expect(abs(noisy.contrast - deviation) < 0.08 * deviation, "\(noisy.contrast)")
        #expect(noisy.edges < 0.6 * deviation, "\(noisy.edges)")
    }

    /// A ramp has the same steepness everywhere and no noise.
    @Test func aRampIsAsSteepAsItIs() {
        let ramp = surface { x, y in 0.1 + 0.006 * Double(x) + 0.002 * Double(y) }
        #expect(abs(ramp.edges - (0.006 * 0.006 + 0.002 * 0.002).squareRoot()) < 0.001, "\(ramp.edges)")
        #expect(ramp.noise < 0.002)
    }

    /// Half of the ellipse is black, the other half white.
    @Test func clippedPixelsAreCounted() {
        let halves = surface { x, _ in x < side / 2 ? 0 : 0.5 }
        #expect(abs(halves.clipped - 0.5) < 0.02)
        #expect(abs(halves.brightness - 0.25) < 0.01)
    }

    /// The corners do not belong to the face.
    @Test func cornersDoNotCount() {
        let middle = Double(side) / 2
        let face = surface { x, y in
            let (dx, dy) = (Double(x) + 0.5 - middle, Double(y) + 0.5 - middle)
            return dx * dx + dy * dy < middle * middle + 200 ? 0.5 : 1
        }
        #expect(face.clipped == 0 && face.contrast < 1e-3)
    }
}
