import Imaging
import PeopleVision
import TestSupport
import Testing

@Suite struct LandmarkSmootherTests {
    private var body: BodyLandmarks {
        SyntheticBody(root: SIMD3(0, 0, -4)).seen(
            focalLength: 900, size: Size(width: 1280, height: 720), factor: 1)
    }

    /// Returns the mean spread of still limbs in noise before and after smoothing, in pixels.
    private func spreads(strength: Double, interval: Double) -> (before: Double, after: Double) {
        var (smoother, generator) = (
            LandmarkSmoother(count: BodyLandmarks.pointCount, worldSize: BodyLandmarks.height),
            SeededGenerator(seed: 7)
        )
        let limbs = 11..<29
        var (before, after) = (
            [[Double]](repeating: [], count: limbs.count), [[Double]](repeating: [], count: limbs.count)
        )
        for frame in 0..<120 {
            var noisy = body
            for (number, index) in limbs.enumerated() {
                noisy.points[index].x += generator.number(-3...3)
                noisy.points[index].y += generator.number(-3...3)
                before[number].append(noisy.points[index].x)
            }
            noisy.smooth(with: &smoother, interval: interval, strength: strength)
            guard frame >= 40 else { continue }
            for (number, index) in limbs.enumerated() { after[number].append(noisy.points[index].x) }
        }
        func mean(_ points: [[Double]]) -> Double { points.map(spread).reduce(0, +) / Double(limbs.count) }
        return (mean(before), mean(after))
    }

    private func spread(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
    }

    @Test func aStillPointIsSteadied() {
        let (before, after) = spreads(strength: 0.5, interval: 1.0 / 30)
        #expect(after < 0.55 * before, "\(after) of \(before)")
        #expect(spreads(strength: 1, interval: 1.0 / 30).after < after)
        #expect(abs(spreads(strength: 0, interval: 1.0 / 30).after - before) < 0.3)
    }

    /// The filter counts seconds: frames that come more slowly are smoothed less.
    @Test func timeCountsAndNotFrames() {
        #expect(
            spreads(strength: 0.5, interval: 1).after > 1.5 * spreads(strength: 0.5, interval: 1.0 / 60).after
        )
    }

    /// After a step of a third of the body's size, less than a tenth of the way is left at the next frame.
    @Test func aStepIsFollowedWithinAFrame() {
        var smoother = LandmarkSmoother(count: BodyLandmarks.pointCount, worldSize: BodyLandmarks.height)
        var shown = body
        for _ in 0..<20 {
            shown = body
            shown.smooth(with: &smoother, interval: 1.0 / 30, strength: 0.5)
        }
        let start = shown.points[15].x
        for _ in 0..<2 {
            shown = body
            shown.points[15].x += 100
            shown.smooth(with: &smoother, interval: 1.0 / 30, strength: 0.5)
        }
        #expect(shown.points[15].x - start > 90, "\(shown.points[15].x - start)")
    }
}
