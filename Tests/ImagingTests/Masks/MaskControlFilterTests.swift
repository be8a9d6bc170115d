import Imaging
import TestSupport
import Testing

@Suite struct MaskControlFilterTests {
    private func disc(_ radius: Double) -> FloatImage {
        FloatImage(101, 101) { x, y in
            let distance = (Double((x - 50) * (x - 50) + (y - 50) * (y - 50))).squareRoot()
            return Float(min(max(radius - distance + 0.5, 0), 1))
        }
    }

    private func applied(_ mask: FloatImage, _ change: (inout MaskControls) -> Void) -> FloatImage {
        var controls = MaskControls()
        change(&controls)
        MaskControlFilter().apply(controls, to: mask)
        return mask
    }

    private func area(_ mask: FloatImage) -> Float { mask.array.reduce(0, +) }

    @Test func neutralControlsChangeNothing() {
        #expect(MaskControls().isNeutral)
        #expect(applied(disc(20)) { _ in }.array == disc(20).array)
    }

    @Test func aThresholdMakesASteepStep() {
        let mask = applied(FloatImage(11, 1) { x, _ in Float(x) / 10 }) { $0.threshold = 0.3 }
        #expect(mask[1, 0] == 0 && mask[5, 0] == 1 && abs(mask[3, 0] - 0.5) < 1e-4)
    }

    @Test func expandMovesTheOutline() {
        let wider = applied(disc(20)) { $0.expand = 0.05 }
        #expect(wider[50 + 24, 50] == 1 && wider[50 + 28, 50] == 0)
        let narrower = applied(disc(20)) { $0.expand = -0.05 }
        #expect(narrower[50 + 13, 50] == 1 && narrower[50 + 17, 50] == 0)
    }

    @Test func featherSoftensButKeepsTheAmount() {
        let mask = applied(disc(20)) { $0.feather = 0.1 }
        #expect(mask[50, 50] > 0.99 && (0.2...0.8).contains(mask[70, 50]))
        #expect(abs(area(mask) / area(disc(20)) - 1) < 0.01)
    }

    @Test func minimumAreaDropsSmallerParts() {
        let two = FloatImage(50, 40) { x, y in x < 10 && y < 10 || x > 44 && y > 35 ? 1 : 0 }
        let mask = applied(two) { $0.minimumArea = 0.02 }
        #expect(mask[5, 5] == 1 && mask[48, 38] == 0)
    }

    @Test func numbersOutOfRangeLeaveAMask() {
        for number in [Float.nan, .infinity, -.infinity, 1e30] {
            let mask = applied(disc(20)) {
                $0.expand = number
                $0.feather = number
                $0.threshold = number
                $0.minimumArea = number
            }
            #expect(mask.array.allSatisfy { (0...1).contains($0) }, "\(number)")
        }
    }
}
