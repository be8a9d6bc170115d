import Imaging
import TestSupport
import Testing

@Suite struct AlphaSamplerTests {
    @Test(arguments: PixelFormat.allCases, MaskFormat.allCases)
    func everySampleGetsTheMaskAtItsPosition(format: PixelFormat, maskFormat: MaskFormat) {
        let scaler = AlphaSampler()
        // Where the mask is certain, alpha may be off by up to half a code value.
        let tolerance = 0.52 / Double(format.layout.maximum)
        for size in testSizes {
            for maskSize in TestMask.sizes {
                for site in [Colorimetry.ChromaSite.jpeg, .mpeg2] {
                    let image = TestImage(format, size.0, size.1, colorimetry: Colorimetry(chromaSite: site))
                    let mask = TestMask.blobs(maskFormat, maskSize.0, maskSize.1)
                    #expect(worst(scaler, image.view, mask) < tolerance, "\(size) \(maskSize) \(site)")
                }
            }
        }
    }

    /// Returns the largest difference of an alpha from the mask's exact value, from 0 to 1.
    private func worst(_ scaler: AlphaSampler, _ frame: ImageView, _ mask: TestMask) -> Double {
        let reference = ReferenceMask(mask, frame: frame)
        var worst = 0.0
        scaler.begin(frame, mask: mask.view)
        for plane in 0..<frame.format.layout.planeCount {
            let layout = frame.format.layout
            let count = layout.rowBytes(plane: plane, width: frame.width) / layout.bytesPerSample
            for row in 0..<frame.format.layout.rows(plane: plane, height: frame.height) {
                scaler.selectRow(row, plane: plane, of: frame, mask: mask.view)
                let alpha = scaler.alphaRow()
                for index in 0..<count {
                    let exact = reference.value(plane: plane, row: row, index: index)
                    worst = max(worst, abs(Double(alpha[index]) / 65535 - exact))
                }
            }
        }
        return worst
    }

    @Test(arguments: PixelFormat.allCases)
    func runsDivideTheRow(format: PixelFormat) {
        let scaler = AlphaSampler()
        let image = TestImage(format, 64, 48)
        for maskSize in TestMask.sizes {
            let mask = TestMask.blobs(.gray8, maskSize.0, maskSize.1)
            scaler.begin(image.view, mask: mask.view)
            for plane in 0..<format.layout.planeCount {
                for row in 0..<format.layout.rows(plane: plane, height: 48) {
                    scaler.selectRow(row, plane: plane, of: image.view, mask: mask.view)
                    let bounds = scaler.runs.map { [$0.samples.lowerBound, $0.samples.upperBound] }
                    let joints =
                        [0] + bounds.flatMap { $0 } + [
                            format.layout.rowBytes(plane: plane, width: 64) / format.layout.bytesPerSample
                        ]
                    let isWhole = stride(from: 0, to: joints.count, by: 2).allSatisfy {
                        joints[$0] == joints[$0 + 1]
                    }
                    #expect(isWhole && bounds.allSatisfy { $0[0] < $0[1] })
                }
            }
        }
    }

    /// Without certain runs, every sample of every frame would be blended.
    @Test(arguments: PixelFormat.allCases)
    func certainMasksHaveNoSoftRuns(format: PixelFormat) {
        let scaler = AlphaSampler()
        let image = TestImage(format, 64, 48)
        for (value, kind) in [(Float(0), AlphaRun.Kind.background), (1, .subject)] {
            let mask = TestMask(.f16, 20, 10)
            mask.fill { _, _ in value }
            scaler.begin(image.view, mask: mask.view)
            scaler.selectRow(5, plane: 0, of: image.view, mask: mask.view)
            #expect(scaler.runs.map(\.kind) == [kind])
        }
        let half = TestMask(.gray8, 64, 48)
        half.fill { x, _ in x < 32 ? 0 : 1 }
        scaler.begin(image.view, mask: half.view)
        scaler.selectRow(5, plane: 0, of: image.view, mask: half.view)
        let soft = scaler.runs.filter { $0.kind == .soft }.reduce(0) { $0 + $1.samples.count }
        #expect(soft <= 4)
    }

    @Test func invertedMasksAreOneMinusTheMask() {
        let scaler = AlphaSampler()
        let image = TestImage(.gray16, 64, 48)
        let (mask, inverse) = (TestMask.blobs(.f32, 20, 10), TestMask(.f32, 20, 10))
        let values = mask.values
        inverse.fill { x, y in 1 - values[y][x] }
        for row in 0..<48 {
            scaler.begin(image.view, mask: mask.view, invert: true)
            scaler.selectRow(row, plane: 0, of: image.view, mask: mask.view)
            let found = Array(UnsafeBufferPointer(start: scaler.alphaRow(), count: 64))
            scaler.begin(image.view, mask: inverse.view)
            scaler.selectRow(row, plane: 0, of: image.view, mask: inverse.view)
            let alpha = scaler.alphaRow()
            #expect((0..<64).allSatisfy { abs(Int(found[$0]) - Int(alpha[$0])) <= 1 })
        }
    }
}
