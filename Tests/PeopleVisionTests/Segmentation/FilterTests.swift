import Imaging
import Testing

@Suite struct FilterTests {
    @Test(arguments: [1, 2, 4, 20]) func boxMean(radius: Int) {
        var grids = Grids()
        let box = BoxMean()
        for (width, height) in awkwardSizes {
            let source = grids.random(width, height)
            let target = MaskGrid(width, height)
            box.apply(source.base, width: width, height: height, radius: radius, into: target.base)
            let plain = MaskGrid(width, height) { source.mean($0, $1, radius: radius) }
            #expect(distance(target.array, plain.array) < 1e-5, "\(width)x\(height)")
        }
    }

    @Test func halfIsTheMeanOfSquares() {
        var grids = Grids()
        for (width, height) in awkwardSizes {
            let source = grids.random(width, height)
            let half = MaskGrid()
            half.copy(halfOf: source)
            let plain = MaskGrid((width + 1) / 2, (height + 1) / 2) { x, y in
                let (right, lower) = (min(2 * x + 1, width - 1), min(2 * y + 1, height - 1))
                let upper = source[2 * x, 2 * y] + source[right, 2 * y]
                return (upper + source[2 * x, lower] + source[right, lower]) / 4
            }
            #expect(distance(half.array, plain.array) < 1e-6, "\(width)x\(height)")
        }
    }

    @Test func stretch() {
        var grids = Grids()
        let stretch = GridStretch()
        for (width, height) in awkwardSizes {
            let source = grids.random(width, height)
            for (wide, high) in [(2 * width, 2 * height), (2 * width + 3, height), (max(1, width / 2), 5)] {
                stretch.begin(source, width: wide, height: high)
                var rows: [Float] = []
                for y in 0..<high { rows += (0..<wide).map { [row = stretch.row(y, of: source)] in row[$0] } }
                #expect(
                    distance(rows, source.stretched(wide, high).array) < 1e-5,
                    "\(width)x\(height) at \(wide)x\(high)")
            }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 30, -1, -4]) func extremum(radius: Int) {
        var grids = Grids()
        let extremum = MaskExtremum()
        for (width, height) in awkwardSizes {
            let mask = grids.random(width, height)
            let before = mask.array
            extremum.apply(to: mask, radius: radius)
            let reach = abs(radius)
            let plain = MaskGrid(width, height) { x, y in
                var window: [Float] = []
                for v in max(0, y - reach)...min(height - 1, y + reach) {
                    let (left, right) = (max(0, x - reach), min(width - 1, x + reach))
                    window += before[(v * width + left)...(v * width + right)]
                }
                return (radius > 0 ? window.max() : window.min()) ?? -1
            }
            #expect(distance(mask.array, plain.array) < 1e-6, "\(width)x\(height)")
        }
    }

    @Test(arguments: [1, 2]) func guidedFilterSolvesTheLinearModel(radius: Int) {
        var grids = Grids()
        let filter = GuidedFilter(radius: radius, flatness: 0.01)
        for (width, height) in awkwardSizes {
            let guide = grids.random(2 * width, 2 * height)
            let (mask, coarse) = (grids.random(width, height), MaskGrid())
            coarse.copy(halfOf: guide)
            let result = MaskGrid()
            filter.refine(mask, coarse: coarse, guide: guide, into: result)
            let plain = plainGuided(mask, coarse, guide, radius: radius, flatness: 0.01)
            #expect(distance(result.array, plain.array) < 1e-4, "\(width)x\(height)")
        }
    }

    private func plainGuided(
        _ mask: MaskGrid, _ coarse: MaskGrid, _ guide: MaskGrid, radius: Int, flatness: Float
    ) -> MaskGrid {
        let (width, height) = (mask.width, mask.height)
        let squares = MaskGrid(width, height) { coarse[$0, $1] * coarse[$0, $1] }
        let products = MaskGrid(width, height) { coarse[$0, $1] * mask[$0, $1] }
        let slope = MaskGrid(width, height) { x, y in
            let mean = coarse.mean(x, y, radius: radius)
            let covariance = products.mean(x, y, radius: radius) - mean * mask.mean(x, y, radius: radius)
            return covariance / (squares.mean(x, y, radius: radius) - mean * mean + flatness)
        }
        let offset = MaskGrid(width, height) { x, y in
            mask.mean(x, y, radius: radius) - slope[x, y] * coarse.mean(x, y, radius: radius)
        }
        return MaskGrid(guide.width, guide.height) { x, y in
            let (u, v) = ((Double(x) + 0.5) / 2 - 0.5, (Double(y) + 0.5) / 2 - 0.5)
            return slope.value(atX: u, y: v) * guide[x, y] + offset.value(atX: u, y: v)
        }
    }
}
