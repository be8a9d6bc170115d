import Imaging
import Testing

@Suite struct TemporalTests {
    private func still(_ value: Float) -> MaskGrid { MaskGrid(4, 4) { _, _ in value } }

    @Test func theFirstMaskIsLeftAsItIs() {
        var grids = Grids()
        let mask = grids.random(8, 6)
        let before = mask.array
        TemporalMaskFilter().smooth(mask, still: still(1), strength: 1)
        #expect(mask.array == before)
    }

    @Test func nothingLagsWhereThePictureMoves() {
        var grids = Grids()
        let filter = TemporalMaskFilter()
        for _ in 0..<5 {
            let mask = grids.random(8, 6)
            let before = mask.array
            filter.smooth(mask, still: still(0), strength: 1)
            #expect(distance(mask.array, before) < 1e-6)
        }
    }

    @Test func aPictureAtRestShowsTheMean() {
        let filter = TemporalMaskFilter()
        let values: [Float] = [0.5, 0.7, 0.4, 0.6, 0.3]
        for (index, value) in values.enumerated() {
            let mask = MaskGrid(5, 3) { _, _ in value }
            filter.smooth(mask, still: still(1), strength: 1)
            let mean = values[...index].reduce(0, +) / Float(index + 1)
            #expect(abs(mask[2, 1] - mean) < 1e-5)
        }
    }

    @Test func aContradictionIsTakenAtOnce() {
        let filter = TemporalMaskFilter()
        for _ in 0..<20 { filter.smooth(MaskGrid(4, 4), still: still(1), strength: 0.95) }
        let mask = MaskGrid(4, 4) { _, _ in 1 }
        filter.smooth(mask, still: still(1), strength: 0.95)
        #expect(mask[1, 1] == 1)
    }

    @Test func aWrongValueIsOutvotedOnceThePictureRests() {
        let filter = TemporalMaskFilter()
        for _ in 0..<20 { filter.smooth(MaskGrid(4, 4) { _, _ in 0.9 }, still: still(1), strength: 0.95) }
        filter.smooth(MaskGrid(4, 4) { _, _ in 0.5 }, still: still(0), strength: 0.95)
        var last: Float = 0
        for _ in 0..<4 {
            let mask = MaskGrid(4, 4) { _, _ in 0.1 }
            filter.smooth(mask, still: still(1), strength: 0.95)
            last = mask[0, 0]
        }
        #expect(last < 0.2)
    }

    @Test func withoutStrengthAndAfterAResetTheMaskIsNew() {
        let filter = TemporalMaskFilter()
        filter.smooth(MaskGrid(4, 4), still: still(1), strength: 0.95)
        let unsmoothed = MaskGrid(4, 4) { _, _ in 0.5 }
        filter.smooth(unsmoothed, still: still(1), strength: 0)
        #expect(unsmoothed[0, 0] == 0.5)
        filter.reset()
        let fresh = MaskGrid(4, 4) { _, _ in 0.2 }
        filter.smooth(fresh, still: still(1), strength: 0.95)
        #expect(fresh[0, 0] == 0.2)
    }

    @Test func stillnessSeesWhatMovesButNotNoise() {
        var grids = Grids()
        let map = StillnessMap()
        func picture(_ object: Range<Int>) -> MaskGrid {
            let noise = grids.random(32, 24)
            return MaskGrid(32, 24) { x, y in
                let shown: Float = object.contains(x) && (8..<16).contains(y) ? 0.8 : 0.3
                return shown + (noise[x, y] - 0.5) * 0.03
            }
        }
        #expect(!map.update(picture(4..<10)))
        #expect(map.update(picture(4..<10)))
        #expect(map.grid.array.min() ?? 0 > 0.6)
        #expect(map.update(picture(14..<20)))
        #expect(map.grid[7, 12] == 0 && map.grid[17, 12] == 0)
        #expect(map.grid[28, 3] > 0.6)
    }

    @Test func colourCountsWhereBrightnessStays() {
        let (gray, color) = (StillnessMap(), StillnessMap(planes: 3))
        let (grayGrid, colorGrid) = (MaskGrid(24, 18), MaskGrid(24, 54))
        /// A blue thing before orange of its brightness.
        func picture(_ left: Int) -> [Float] {
            (0..<(24 * 18)).flatMap { i in
                (left..<(left + 6)).contains(i % 24) ? [0.1, 0.3, 0.8] as [Float] : [0.5, 0.208, 0.24]
            }
        }
        for left in [4, 5] {
            picture(left).withUnsafeBufferPointer {
                grayGrid.fill(brightnessOf: $0)
                colorGrid.fill(planesOf: $0)
            }
            #expect(gray.update(grayGrid) == (left == 5))
            #expect(color.update(colorGrid) == (left == 5))
        }
        #expect(gray.grid.array.allSatisfy { $0 > 0.9 })
        #expect((0..<18).allSatisfy { color.grid[4, $0] == 0 && color.grid[10, $0] == 0 })
        #expect((0..<18).allSatisfy { color.grid[7, $0] == 1 && color.grid[20, $0] == 1 })
    }

    @Test func aCutIsNoContinuation() {
        let map = StillnessMap()
        let (one, other) = (MaskGrid(16, 16) { _, _ in 0.1 }, MaskGrid(16, 16) { _, _ in 0.9 })
        #expect(!map.update(one))
        #expect(!map.update(other))
        #expect(map.update(other))
        map.reset()
        #expect(!map.update(other))
        #expect(map.grid.array.allSatisfy { $0 == 0 })
    }
}
