import Imaging
import TestSupport
import Testing

@Suite struct PixelSampleTests {
    /// Returns the exact value of background + (frame - background) * alpha, rounded to the nearest integer.
    private func reference(_ frame: Int, _ background: Int, _ alpha: Int, maximum: Int) -> Int {
        let numerator = background * maximum + (frame - background) * alpha
        return (2 * numerator + maximum) / (2 * maximum)
    }

    @Test func roundsBytesExactlyForAllValues() {
        let all = (0...255).map { UInt8($0) }
        for background in 0...255 {
            var wrong = 0
            let under = [UInt8](repeating: UInt8(background), count: 256)
            for alpha in stride(from: 0, through: 65535, by: 255) {
                var (frame, row) = (all, under)
                let alphas = [UInt16](repeating: UInt16(alpha), count: 256)
                UInt8.blend(&frame, over: under, alpha: alphas, count: 256, shift: 0)
                UInt8.tint(&row, with: all, alpha: alphas, count: 256, shift: 0)
                for value in 0...255 {
                    let expected = reference(value, background, alpha, maximum: 65535)
                    if Int(frame[value]) != expected || Int(row[value]) != expected { wrong += 1 }
                }
            }
            #expect(wrong == 0, "background \(background)")
        }
    }

    @Test(arguments: [0, 6])
    func roundsWordsExactly(shift: Int) {
        var generator = SeededGenerator(seed: 1)
        let limit = UInt16.max >> UInt16(shift)
        let ends: [UInt16] = [0, 1, limit / 2, limit - 1, limit]
        let code = { () -> UInt16 in
            Bool.random(using: &generator)
                ? UInt16.random(in: 0...limit, using: &generator) : ends.randomElement(using: &generator) ?? 0
        }
        for _ in 0..<2000 {
            let (front, back) = ((0..<9).map { _ in code() }, (0..<9).map { _ in code() })
            let alpha = (0..<9).map { _ in code() << UInt16(shift) | (shift > 0 ? code() & 63 : 0) }
            var frame = front.map { $0 << UInt16(shift) }
            var row = back.map { $0 << UInt16(shift) }
            let (before, under) = (frame, row)
            UInt16.blend(&frame, over: under, alpha: alpha, count: 9, shift: shift)
            UInt16.tint(&row, with: before, alpha: alpha, count: 9, shift: shift)
            let expected = (0..<9).map {
                UInt16(reference(Int(front[$0]), Int(back[$0]), Int(alpha[$0]), maximum: 65535))
                    << UInt16(shift)
            }
            #expect(frame == expected && row == expected)
        }
    }

    @Test func touchesOnlyItsSamples() {
        for count in 0...70 {
            var frame = [UInt8](repeating: 200, count: 80)
            let under = [UInt8](repeating: 10, count: 80)
            let alpha = [UInt16](repeating: 0, count: 80)
            UInt8.blend(&frame, over: under, alpha: alpha, count: count, shift: 0)
            #expect(
                frame == [UInt8](repeating: 10, count: count) + [UInt8](repeating: 200, count: 80 - count))
        }
    }
}
