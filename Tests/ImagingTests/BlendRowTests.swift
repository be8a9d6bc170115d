import Imaging
import Testing

@Suite struct BlendRowTests {
    /// background + (frame - background) * alpha / 255 to the nearest integer, in exact arithmetic.
    private func reference(_ frame: Int, _ background: Int, _ alpha: Int) -> UInt8 {
        let numerator = background * 255 + (frame - background) * alpha
        return UInt8((2 * numerator + 255) / 510)
    }

    @Test func roundsExactlyForAllValues() {
        let all = (0...255).map { UInt8($0) }
        for background in 0...255 {
            var wrong = 0
            let under = [UInt8](repeating: UInt8(background), count: 256)
            for alpha in 0...255 {
                var frame = all
                let alphas = [UInt8](repeating: UInt8(alpha), count: 256)
                BlendRow.blend(&frame, over: under, alpha: alphas, count: 256)
                for value in 0...255 where frame[value] != reference(value, background, alpha) { wrong += 1 }
            }
            #expect(wrong == 0, "background \(background)")
        }
    }

    @Test func touchesOnlyItsBytes() {
        for count in 0...70 {
            var frame = [UInt8](repeating: 200, count: 80)
            let under = [UInt8](repeating: 10, count: 80)
            BlendRow.blend(&frame, over: under, alpha: [UInt8](repeating: 0, count: 80), count: count)
            #expect(
                frame == [UInt8](repeating: 10, count: count) + [UInt8](repeating: 200, count: 80 - count))
        }
    }
}
