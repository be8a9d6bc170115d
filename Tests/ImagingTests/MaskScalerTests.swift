import Imaging
import TestSupport
import Testing

@Suite struct MaskScalerTests {
    @Test(arguments: PixelFormat.allCases, MaskFormat.allCases)
    func everyByteGetsTheMaskAtItsPosition(format: PixelFormat, maskFormat: MaskFormat) {
        let scaler = MaskScaler()
        for size in testSizes {
            for maskSize in TestMask.sizes {
                for site in [Colorimetry.ChromaSite.jpeg, .mpeg2] {
                    let image = TestImage(format, size.0, size.1, colorimetry: Colorimetry(chromaSite: site))
                    let mask = TestMask.blobs(maskFormat, maskSize.0, maskSize.1)
                    #expect(worst(scaler, image.view, mask) < 0.501, "\(size) \(maskSize) \(site)")
                }
            }
        }
    }

    /// The largest difference of an alpha from the mask's exact value, in 1 / 255.
    private func worst(_ scaler: MaskScaler, _ frame: ImageView, _ mask: TestMask) -> Double {
        let reference = ReferenceMask(mask, frame: frame)
        var worst = 0.0
        scaler.begin(frame, mask: mask.view)
        for plane in 0..<frame.format.layout.planeCount {
            let count = frame.format.layout.rowBytes(plane: plane, width: frame.width)
            for row in 0..<frame.format.layout.rows(plane: plane, height: frame.height) {
                scaler.selectRow(row, plane: plane, of: frame, mask: mask.view)
                let alpha = scaler.alphaRow()
                for byte in 0..<count {
                    let exact = 255 * reference.value(plane: plane, row: row, byte: byte)
                    worst = max(worst, abs(Double(alpha[byte]) - exact))
                }
            }
        }
        return worst
    }

    @Test(arguments: PixelFormat.allCases)
    func runsDivideTheRow(format: PixelFormat) {
        let scaler = MaskScaler()
        let image = TestImage(format, 64, 48)
        for maskSize in TestMask.sizes {
            let mask = TestMask.blobs(.gray8, maskSize.0, maskSize.1)
            scaler.begin(image.view, mask: mask.view)
            for plane in 0..<format.layout.planeCount {
                for row in 0..<format.layout.rows(plane: plane, height: 48) {
                    scaler.selectRow(row, plane: plane, of: image.view, mask: mask.view)
                    let bounds = scaler.runs.map { [$0.bytes.lowerBound, $0.bytes.upperBound] }
                    let joints =
                        [0] + bounds.flatMap { $0 } + [format.layout.rowBytes(plane: plane, width: 64)]
                    let isWhole = stride(from: 0, to: joints.count, by: 2).allSatisfy {
                        joints[$0] == joints[$0 + 1]
                    }
                    #expect(isWhole && bounds.allSatisfy { $0[0] < $0[1] })
                }
            }
        }
    }

    /// Without certain runs every byte of every frame would be blended.
    @Test(arguments: PixelFormat.allCases)
    func certainMasksHaveNoSoftRuns(format: PixelFormat) {
        let scaler = MaskScaler()
        let image = TestImage(format, 64, 48)
        for (value, kind) in [(Float(0), MaskRun.Kind.background), (1, .subject)] {
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
        let soft = scaler.runs.filter { $0.kind == .soft }.reduce(0) { $0 + $1.bytes.count }
        #expect(soft <= 4)
    }
}
