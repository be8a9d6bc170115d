import CKernels
import TestSupport
import Testing

@Suite struct ToneTests {
    private func tone(_ value: Double, _ gain: Float, _ offset: Float, _ white: Float, _ maximum: Double)
        -> Double
    {
        min(max(min(value * Double(gain) + Double(offset), max(value, Double(white))), 0), maximum)
    }

    @Test(arguments: rowLengths)
    func samplesAreLimitedProducts(count: Int) {
        var generator = SeededGenerator(seed: 9)
        let block = Int(kernel_tone_block)
        let (gains, offsets) = (generator.floats(block, 0...3), generator.floats(block, -50...50))
        let whites = generator.floats(block, 100...300)
        let bytes: [UInt8] = generator.integers(count, 0...255)
        var (changed, words) = (bytes, bytes.map { UInt16($0) << 6 })
        kernel_tone_u8(&changed, gains, offsets, whites, 255, 0, count)
        kernel_tone_u16(&words, gains, offsets, whites, 1023, 6, count)
        let exact = { (maximum: Double) in
            bytes.enumerated().map { i, value in
                tone(Double(value), gains[i % block], offsets[i % block], whites[i % block], maximum)
            }
        }
        #expect(worst(changed, exact(255)) < 0.501 && worst(words.map { $0 >> 6 }, exact(1023)) < 0.501)
        #expect(words.allSatisfy { $0 & 63 == 0 })
    }

    @Test(arguments: [3, 4], rowLengths)
    func pixelsAreDrawnToTheirSum(step: Int, count: Int) {
        var generator = SeededGenerator(seed: 10)
        let (gains, whites): ([Float], [Float]) = ([0.5, 1.5, 2, 1], [255, 255, 255, .infinity])
        let (weights, drawn): ([Float], [Float]) = ([0.3, 0.6, 0.1, 0], [0.7, 0.7, 0.7, 0])
        let bytes: [UInt8] = generator.integers(count * step, 0...255)
        let exact = bytes.indices.map { i in
            let (pixel, k) = (i / step * step, i % step)
            let grey = (0..<step).reduce(0.0) { $0 + Double(bytes[pixel + $1]) * Double(weights[$1]) }
            let value = Double(bytes[i]) + (grey - Double(bytes[i])) * Double(drawn[k])
            return tone(value, gains[k], 0, whites[k], 255)
        }
        var (changed, words) = (bytes, bytes.map { UInt16($0) })
        kernel_desaturate_u8(&changed, gains, whites, weights, drawn, step, 255, count)
        kernel_desaturate_u16(&words, gains, whites, weights, drawn, step, 255, count)
        #expect(worst(changed, exact) < 0.501 && worst(words, exact) < 0.501)
    }
}
