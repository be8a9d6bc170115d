import CKernels
import TestSupport
import Testing

@Suite struct ForegroundTests {
    @Test(arguments: [(1, 8), (1, 4), (2, 8), (3, 24), (4, 16), (4, 32)])
    func samplesAreCorrected(period: Int, size: Int) {
        var generator = SeededGenerator(seed: 11)
        let cells = { generator.floats(8 * period, 0...255) }
        let (own, old) = (cells(), cells())
        let (lefts, rights) = (generator.floats(size, 0...0.5), generator.floats(size, 0...0.5))
        let shares = (0..<size).map { Float($0 % period == 3 ? 0 : 1) }
        let seen: [UInt8] = generator.integers(6 * size, 0...255)
        let alpha: [UInt16] = generator.integers(6 * size, 0...65535)
        for range in [0..<6 * size, 1..<3, size / 2..<4 * size + 1] {
            var (bytes, words) = (seen, seen.map { UInt16($0) << 2 })
            own.withUnsafeBufferPointer { own in
                old.withUnsafeBufferPointer { old in
                    guard let own = own.baseAddress, let old = old.baseAddress else { return }
                    kernel_correct_u8(
                        &bytes, alpha, own + period, old + period, period, size, lefts, rights,
                        shares, range.lowerBound, range.upperBound, 255, 0)
                    kernel_correct_u16(
                        &words, alpha, own + period, old + period, period, size, lefts, rights,
                        shares, range.lowerBound, range.upperBound, 255, 2)
                }
            }
            let exact = seen.indices.map { (i: Int) -> Double in
                guard range.contains(i), shares[i % size] == 1 else { return Double(seen[i]) }
                let place = (i / size + 1) * period + i % size % period
                let between = { (cells: [Float]) -> Double in
                    let (left, middle, right) = (cells[place - period], cells[place], cells[place + period])
                    let change = (left - middle) * lefts[i % size] + (right - middle) * rights[i % size]
                    return Double(middle) + Double(change)
                }
                let (f, b, a) = (between(own), between(old), Double(alpha[i]) / 65535)
                let error = Double(seen[i]) - a * f - (1 - a) * b
                return min(max(f + a * error, 0), 255)
            }
            #expect(worst(bytes, exact) < 0.501 && worst(words.map { $0 >> 2 }, exact) < 0.501)
        }
    }
}
