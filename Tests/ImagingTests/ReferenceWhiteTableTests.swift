import Foundation
import Imaging
import Testing

/// Images of a screen in video of high dynamic range, compared with the formulas in double precision.
struct ReferenceWhiteTableTests {
    typealias Pixel = ARGB64Image.Pixel

    private func placed(_ pixels: [Pixel], _ transfer: Colorimetry.Transfer, isWide: Bool = true) -> [Pixel] {
        var pixels = pixels
        pixels.withUnsafeMutableBytes { bytes in
            if let image = ARGB64Image(bytes, width: bytes.count / 8, height: 1) {
                ReferenceWhiteTable(transfer, isWide: isWide).apply(to: image)
            }
        }
        return pixels
    }

    private let colours: [Pixel] = {
        let steps: [UInt16] = [0, 1, 257, 2000, 9000, 30000, 50000, 65000, 65535]
        return steps.flatMap { red in
            steps.flatMap { green in steps.map { Pixel(65535, red, green, $0) } }
        }
    }()

    /// Returns the light of a pixel: IEC 61966-2-1, ITU-R BT.2087-0.
    private func light(_ pixel: Pixel) -> [Double] {
        let linear = (1..<4).map { index -> Double in
            let value = Double(pixel[index]) / 65535
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let matrix = [[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]]
        return matrix.map { row in zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    /// Returns the code of a light: SMPTE ST 2084.
    private func pq(_ light: Double) -> Double {
        let power = pow(light * 203 / 10000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }

    /// Returns the codes of a light: ITU-R BT.2100-2, table 5, on a display of 1000 cd/m2.
    private func hlg(_ light: [Double]) -> [Double] {
        let shown = light.map { $0 * 0.203 }
        let luminance = 0.2627 * shown[0] + 0.678 * shown[1] + 0.0593 * shown[2]
        return shown.map { value in
            let scene = luminance > 0 ? value * pow(luminance, 1 / 1.2 - 1) : 0
            return scene <= 1 / 12 ? sqrt(3 * scene) : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
        }
    }

    /// Half a code value of ten bits.
    private let tolerance = 32.0

    @Test func placesColoursInPQ() {
        for (before, after) in zip(colours, placed(colours, .pq)) {
            let expected = light(before).map { pq($0) * 65535 }
            for index in 0..<3 { #expect(abs(Double(after[index + 1]) - expected[index]) < tolerance) }
        }
    }

    @Test func placesColoursInHLG() {
        for (before, after) in zip(colours, placed(colours, .hlg)) {
            let expected = hlg(light(before)).map { $0 * 65535 }
            for index in 0..<3 { #expect(abs(Double(after[index + 1]) - expected[index]) < tolerance) }
        }
    }

    /// Reference white is 58 % and 75 % (ITU-R BT.2408-7, table 1).
    @Test func makesWhiteReferenceWhite() {
        let white = [Pixel(repeating: 65535)]
        #expect(abs(Double(placed(white, .pq)[0].y) / 65535 - 0.58) < 0.005)
        #expect(abs(Double(placed(white, .hlg)[0].y) / 65535 - 0.75) < 0.005)
    }

    @Test func changesOnlyPrimariesInStandardRange() {
        let greys = [Pixel(9, 0, 0, 0), Pixel(65535, 30000, 30000, 30000), Pixel(repeating: 65535)]
        for (before, after) in zip(greys, placed(greys, .sdr)) {
            #expect(after.x == before.x)
            for index in 1..<4 { #expect(abs(Int(after[index]) - Int(before[index])) < 32) }
        }
        // BT.709's red is less saturated in BT.2020.
        let red = placed([Pixel(65535, 65535, 0, 0)], .sdr)[0]
        #expect(red.y < 59000 && red.z > 13000)
    }
}
