import Imaging
import TestSupport
import Testing

@Suite struct MaskViewTests {
    /// Values at and around every point at which a conversion could fail.
    private static let awkward: [Float] = {
        let special: [Float] = [
            .nan, -.nan, .infinity, -.infinity, -1, -0.0, 0, 1, 1.5, 1e30, 1e-30, 0x1p-24, 0x1p-25, 0x1.8p-25,
            0x1p-14, 0x1.ffcp-15, 0x1.ffep-15,
            // Values halfway between two half floats, below and above an odd one.
            0x1.002p-1, 0x1.006p-1, 0x1.00ap-3, 0x1.00ep-3, 0.5, 0.5 / 255, 254.5 / 255,
        ]
        var generator = SeededGenerator(seed: 2)
        let spread = (0..<4000).map { _ in Float(generator.number(0...1)) }
        let small = (0..<4000).map { _ in Float(generator.number(0...1)) * 0x1p-13 }
        return special + special.map(\.nextUp) + special.map(\.nextDown) + spread + small
    }()

    private func clamped(_ value: Float) -> Float { value.isNaN ? 0 : min(max(value, 0), 1) }

    private func stored(_ value: Float, _ format: MaskFormat) -> Float {
        switch format {
        case .gray8: Float((clamped(value) * 255).rounded(.toNearestOrEven)) / 255
        case .f16: Float(Float16(clamped(value)))
        case .f32: clamped(value)
        }
    }

    @Test(arguments: MaskFormat.allCases)
    func writingClampsAndRoundsToNearest(format: MaskFormat) {
        for width in [1, 2, 3, 7, 16, 33, Self.awkward.count] {
            let mask = TestMask(format, width, 2)
            mask.fill { x, _ in Self.awkward[x] }
            for (value, found) in zip(Self.awkward, mask.values[1]) {
                #expect(abs(found - stored(value, format)) <= (format == .gray8 ? 1e-7 : 0), "\(value)")
            }
            #expect(mask.canariesAreIntact)
        }
    }

    @Test func readsEveryHalfPrecisionNumber() {
        var halves = (0...UInt16.max).map { $0 }
        var values = [Float](repeating: -1, count: halves.count)
        halves.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for row in 0..<4 {
                let view = MaskView(
                    format: .f16, width: 16384, height: 1, base: base + row * 32768, stride: 32768,
                    byteCount: 32768)
                values.withUnsafeMutableBufferPointer {
                    view?.readRow(0, into: $0.baseAddress! + row * 16384)
                }
            }
        }
        let wrong = (0...UInt16.max).filter {
            values[Int($0)] != clamped(Float(Float16(bitPattern: $0)))
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: MaskFormat.allCases)
    func readingMultipliesByTheScale(format: MaskFormat) {
        let mask = TestMask(format, 3, 1)
        mask.fill { x, _ in [0, 0.2, 1][x] }
        var row = [Float](repeating: 0, count: 3)
        mask.view.readRow(0, scale: 255, into: &row)
        #expect(row[0] == 0 && row[2] == 255 && abs(row[1] - 51) < 0.02)
    }

    @Test func refusesSizesBeyondItsMemory() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        defer { memory.deallocate() }
        func view(_ format: MaskFormat, _ w: Int, _ h: Int, _ stride: Int, _ bytes: Int, at offset: Int = 0)
            -> Bool
        {
            MaskView(
                format: format, width: w, height: h, base: memory + offset, stride: stride, byteCount: bytes)
                != nil
        }
        #expect(view(.gray8, 8, 8, 8, 64))
        #expect(view(.f32, 2, 4, 12, 44))
        #expect(!view(.f32, 2, 4, 12, 43))
        #expect(!view(.gray8, 8, 8, 7, 64))
        #expect(!view(.gray8, 0, 8, 8, 64))
        #expect(!view(.gray8, 8, -1, 8, 64))
        #expect(!view(.gray8, 40000, 1, 40000, 40000))
        #expect(!view(.gray8, 8, 8, .max, .max))
        #expect(!view(.f16, 2, 2, 5, 64))
        #expect(!view(.f32, 2, 2, 8, 64, at: 2))
    }

    @Test func ownedMasksStartAsBackground() throws {
        for format in MaskFormat.allCases {
            let mask = try #require(
                Mask(format: format, width: 3, height: 2) { $0.writeRow(1, from: [0, 1, 0]) })
            #expect(mask.values == [0, 0, 0, 0, 1, 0])
        }
        #expect(Mask(format: .gray8, width: 0, height: 2) { _ in } == nil)
    }

    @Test func aMaskThatCannotBeWrittenIsAnError() {
        #expect(throws: MaskWriterError.unsupportedRegion) {
            try Mask(format: .gray8, width: 1, height: 1) { _ throws(MaskWriterError) in
                throw .unsupportedRegion
            }
        }
    }
}
