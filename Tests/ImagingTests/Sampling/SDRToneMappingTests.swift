import Imaging
import TestSupport
import Testing

/// The input of models for video of high dynamic range.
struct SDRToneMappingTests {
    private static let input = TensorInput(width: 4, height: 4, low: -1, high: 1)

    /// Returns R', G' and B' of an image of one colour, 0 to 255, in a model's input.
    private func seen(_ image: TestImage) throws -> [Double] {
        var tensor = [Float](repeating: 0, count: Self.input.valueCount)
        let sampler = try TensorSampler(Self.input)
        try tensor.withUnsafeMutableBufferPointer { try sampler.sample(image.view, into: $0) }
        return tensor[0..<3].map { Double($0 + 1) / 2 * 255 }
    }

    /// Screen colours that were placed in the video come back, except for wide primaries and, in HLG, the
    /// system gamma of colours.
    @Test(arguments: [PixelFormat.i420Deep, .p010, .rgba64], [Colorimetry.Transfer.pq, .hlg])
    func screenColoursSurviveARoundTrip(_ format: PixelFormat, _ transfer: Colorimetry.Transfer) throws {
        let greys: [[UInt8]] = stride(from: 0, through: 255, by: 15).map { [$0, $0, $0] }
        let colours: [[UInt8]] = [[200, 150, 120], [30, 60, 90], [255, 128, 0], [10, 240, 100]]
        for parts in transfer == .pq ? greys + colours : greys {
            let image = TestImage(
                format, 8, 8, colorimetry: Colorimetry(matrix: .bt709, transfer: transfer))
            image.paint { _, _ in RGBColor(red: parts[0], green: parts[1], blue: parts[2]) }
            let found = try seen(image)
            // A step of 10 bits is up to 1.5 of 255.
            #expect(zip(found, parts).allSatisfy { abs($0 - Double($1)) < 2.5 }, "\(parts): \(found)")
        }
    }

    @Test(arguments: [Colorimetry.Transfer.pq, .hlg])
    func coloursBrighterThanWhiteBecomeWhite(_ transfer: Colorimetry.Transfer) throws {
        let image = TestImage(.rgba64, 8, 8, colorimetry: Colorimetry(transfer: transfer))
        for y in 0..<8 { for x in 0..<8 { for part in 0..<3 { image[part, x, y] = 65535 } } }
        #expect(try seen(image).allSatisfy { $0 > 254.99 })
    }
}
