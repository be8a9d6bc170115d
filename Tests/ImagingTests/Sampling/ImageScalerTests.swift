import Foundation
import Imaging
import TestSupport
import Testing

/// Scaling against its plain definition: each sample by itself, from all samples.
struct ImageScalerTests {
    private static func filter(_ distance: Double) -> Double {
        let x = abs(distance)
        return x < 1
            ? 1.5 * x * x * x - 2.5 * x * x + 1 : x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
    }

    /// Returns weights of `count` samples for an output at an index position.
    private static func weights(_ position: Double, _ step: Double, _ count: Int) -> [Double] {
        let scale = max(1, step)
        var weights = [Double](repeating: 0, count: count)
        for index in Int((position - 2 * scale).rounded(.down))...Int((position + 2 * scale).rounded(.up)) {
            weights[min(max(index, 0), count - 1)] += filter((Double(index) - position) / scale)
        }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }

    private static func sample(_ image: ImageView, _ part: ComponentLayout, _ x: Int, _ y: Int) -> Double {
        let row = image.plane(part.plane).row(y) + part.offset + x * part.pixelStride
        guard image.format.layout.bytesPerSample == 2 else { return Double(row[0]) }
        return Double(Int(row[0]) | Int(row[1]) << 8)
    }

    private static func parts(_ layout: PixelLayout) -> [ComponentLayout] {
        (0..<layout.colorCount).map { layout.component($0) } + (layout.alpha.map { [$0] } ?? [])
    }

    /// Returns the largest difference from the definition, in code values.
    private func error(_ source: ImageView, _ crop: Rectangle, _ result: ImageView) -> Double {
        let layout = source.format.layout
        let site = source.colorimetry.chromaSite
        var largest = 0.0
        for part in Self.parts(layout) {
            func positions(
                _ length: Int, _ target: Int, _ shift: Int, _ cosited: Bool, _ origin: Double,
                _ extent: Double, _ count: Int
            )
                -> [[Double]]
            {
                let (unit, offset) = (Double(1 << shift), cosited ? 0.5 : Double(1 << shift) / 2)
                let scale = extent * Double(length) / Double(target)
                let samples = (length + (1 << shift) - 1) >> shift
                return (0..<count).map { index in
                    let pixel = origin * Double(length) + (Double(index) * unit + offset) * scale
                    return Self.weights((pixel - offset) / unit, scale, samples)
                }
            }
            let across = positions(
                source.width, result.width, part.widthShift, site.cositedHorizontally, crop.x, crop.width,
                part.sampleWidth(result.width))
            let down = positions(
                source.height, result.height, part.heightShift, site.cositedVertically, crop.y, crop.height,
                part.sampleHeight(result.height))
            for y in down.indices {
                for x in across.indices {
                    var sum = 0.0
                    for (v, weight) in down[y].enumerated() where weight != 0 {
                        for (u, other) in across[x].enumerated() where other != 0 {
                            sum += weight * other * Self.sample(source, part, u, v)
                        }
                    }
                    let full = Double(layout.maximum << layout.shift)
                    let expected = min(max(sum, 0), full)
                    let found = Self.sample(result, part, x, y)
                    largest = max(largest, abs(expected - found) / Double(1 << layout.shift))
                }
            }
        }
        return largest
    }

    @Test(arguments: PixelFormat.allCases)
    func agreesWithTheDefinition(_ format: PixelFormat) {
        let scaler = ImageScaler()
        for (width, height, crop) in [
            (24, 17, Rectangle.unit), (40, 30, Rectangle(x: 0.21, y: 0.1, width: 0.37, height: 0.55)),
            (9, 5, Rectangle(x: 0, y: 0.3, width: 1, height: 0.7)), (1, 1, Rectangle.unit),
            (37, 29, Rectangle.unit),
        ] {
            for site in [true, false] {
                var colorimetry = Colorimetry()
                colorimetry.chromaSite = Colorimetry.ChromaSite(
                    cositedHorizontally: site, cositedVertically: !site)
                let source = TestImage(format, 37, 29, colorimetry: colorimetry)
                source.fillRandomly(seed: 3)
                let target = TestImage(format, width, height, colorimetry: colorimetry)
                scaler.scale(crop, of: source.view, into: target.mutableView)
                // One for rounding, and what whole weights add for bytes.
                #expect(
                    error(source.view, crop, target.view) <= (format.layout.bytesPerSample == 1 ? 1.1 : 0.7),
                    "\(width)x\(height), \(crop)")
                #expect(target.canariesAreIntact)
            }
        }
    }

    @Test func aWholeImageOfTheSameSizeIsUnchanged() {
        for format in [PixelFormat.i420, .rgba, .p010, .yuy2] {
            let (source, target) = (TestImage(format, 64, 36), TestImage(format, 64, 36))
            source.fillRandomly(seed: 3)
            ImageScaler().scale(.unit, of: source.view, into: target.mutableView)
            #expect(error(source.view, .unit, target.view) == 0, "\(format)")
        }
    }

    /// A fine pattern would become stripes without a filter as wide as the image shrinks.
    @Test func finePatternsBecomeGrey() {
        let source = TestImage(.gray8, 960, 8)
        for y in 0..<8 {
            for x in 0..<960 { source.mutableView.plane(0).row(y)[x] = x % 2 == 0 ? 0 : 255 }
        }
        let target = TestImage(.gray8, 250, 4)
        ImageScaler().scale(.unit, of: source.view, into: target.mutableView)
        for x in 8..<242 { #expect(abs(Int(target.view.plane(0).row(1)[x]) - 128) < 12) }
    }

    @Test func shrinksToAPixel() {
        let (source, target) = (TestImage(.gray8, 4000, 300), TestImage(.gray8, 1, 1))
        for y in 0..<300 { for x in 0..<4000 { source.mutableView.plane(0).row(y)[x] = 200 } }
        ImageScaler().scale(.unit, of: source.view, into: target.mutableView)
        #expect(target.view.plane(0).row(0)[0] == 200)
    }
}
