import Imaging
import PeopleVision
import Testing

@Suite struct CropTests {
    private let planner = CropPlanner()

    /// Shows the planner people, as rectangles of a mask of 100x100.
    private func see(_ people: PixelRect..., matte: Rectangle? = nil) {
        let mask = MaskGrid(100, 100) { x, y in
            let isPerson = people.contains {
                ($0.x..<($0.x + $0.width)).contains(x) && ($0.y..<($0.y + $0.height)).contains(y)
            }
            return isPerson ? 1 : 0
        }
        let parts = MaskParts()
        parts.find(in: mask, above: 0.5)
        planner.update(parts, width: 100, height: 100, atLeast: 20, matte: matte)
    }

    @Test func nobodyIsLookedForEverywhere() {
        see()
        #expect(planner.crop == .unit)
    }

    @Test func aCropHoldsThePersonWithSpaceAround() {
        see(PixelRect(x: 30, y: 40, width: 20, height: 50))
        let crop = planner.crop
        #expect(crop.x < 0.3 && crop.x + crop.width > 0.5 && crop.y < 0.4 && crop.y + crop.height > 0.9)
        #expect(crop.width < 0.3)
    }

    @Test func aCropStaysWhileThePersonKeepsWithin() {
        see(PixelRect(x: 30, y: 40, width: 20, height: 50))
        let before = planner.crop
        see(PixelRect(x: 30, y: 41, width: 20, height: 49))
        #expect(planner.crop == before)
        see(PixelRect(x: 45, y: 40, width: 20, height: 50))
        #expect(planner.crop != before)
        see(PixelRect(x: 50, y: 60, width: 8, height: 10))
        #expect(planner.crop.width < 0.2)
    }

    @Test func newcomersAndLossesAreSeenAtOnce() {
        see(PixelRect(x: 5, y: 30, width: 15, height: 60))
        see(PixelRect(x: 5, y: 30, width: 15, height: 60), PixelRect(x: 40, y: 30, width: 15, height: 60))
        #expect(planner.crop.x < 0.05 && planner.crop.x + planner.crop.width > 0.55)
        see(PixelRect(x: 40, y: 30, width: 15, height: 60))
        #expect(planner.crop.x > 0.3)
        see()
        #expect(planner.crop == .unit)
    }

    @Test func peopleWhoFillTheFrameAreSeenWhole() {
        see(PixelRect(x: 5, y: 10, width: 20, height: 90), PixelRect(x: 70, y: 10, width: 20, height: 90))
        #expect(planner.crop == .unit)
        see(PixelRect(x: 0, y: 0, width: 100, height: 100))
        #expect(planner.crop == .unit)
    }

    @Test func whatTheMatteHeldStaysInTheCrop() {
        see(PixelRect(x: 30, y: 40, width: 20, height: 50))
        #expect(planner.crop.y > 0.3)
        see(
            PixelRect(x: 30, y: 40, width: 20, height: 50),
            matte: Rectangle(x: 0.3, y: 0.2, width: 0.2, height: 0.7))
        #expect(planner.crop.y < 0.2)
    }

    @Test func aCropThatCutsSomebodyOffGrowsThere() {
        see(PixelRect(x: 30, y: 40, width: 20, height: 40))
        let before = planner.crop
        planner.widen(.top)
        #expect(planner.crop.y < before.y - 0.1 && planner.crop.x == before.x)
        #expect(abs(planner.crop.y + planner.crop.height - before.y - before.height) < 1e-9)
        planner.widen([.left, .right, .bottom])
        #expect(planner.crop.x < before.x && planner.crop.y + planner.crop.height == 1)
        for _ in 0..<5 { planner.widen([.left, .right, .top]) }
        #expect(planner.crop == .unit)
    }

    @Test func headsAreKnownToBeCutOffAtInnerEdgesOnly() {
        let matte = MaskGrid(64, 48) { x, y in (20..<30).contains(x) && y < 40 || x > 60 && y == 47 ? 1 : 0 }
        func cut(_ crop: Rectangle) -> CropEdges {
            CropEdges(cutting: UnsafeBufferPointer(matte.values), width: 64, height: 48, crop: crop)
        }
        #expect(cut(Rectangle(x: 0.1, y: 0.1, width: 0.8, height: 0.8)) == [.top, .bottom])
        #expect(cut(Rectangle(x: 0.1, y: 0, width: 0.8, height: 1)) == [])
        #expect(cut(Rectangle(x: 0.1, y: 0.2, width: 0.8, height: 0.8)) == .top)
        matte.fill(0)
        matte.row(10)[0] = 1
        #expect(cut(Rectangle(x: 0.1, y: 0.1, width: 0.8, height: 0.8)) == [])
        matte.row(11)[0] = 1
        matte.row(11)[63] = 1
        matte.row(12)[63] = 1
        #expect(cut(Rectangle(x: 0.1, y: 0.1, width: 0.8, height: 0.8)) == [.left, .right])
    }

    @Test func aPastedCropFadesAtItsInnerEdgesOnly() {
        let values = [Float](repeating: 1, count: 12 * 9)
        let mask = MaskGrid(60, 40)
        values.withUnsafeBufferPointer {
            MaskPaste().add(
                $0, width: 12, height: 9, crop: Rectangle(x: 0, y: 0.25, width: 0.5, height: 0.5), to: mask)
        }
        #expect(mask[0, 20] == 1 && mask[15, 20] == 1)
        #expect(mask[29, 20] < 1 && mask[30, 20] == 0 && mask[15, 9] == 0 && mask[15, 30] == 0)
    }

    @Test func aPasteIsLinearInterpolation() {
        var grids = Grids()
        let (values, crop) = (grids.random(11, 7), Rectangle(x: -0.1, y: 0, width: 1.2, height: 1))
        let mask = MaskGrid(23, 19)
        MaskPaste().add(
            UnsafeBufferPointer(values.values), width: 11, height: 7, crop: crop, to: mask)
        let plain = MaskGrid(23, 19) { x, y in
            let u = ((Double(x) + 0.5) / 23 - crop.x) / crop.width * 11 - 0.5
            return values.value(atX: u, y: (Double(y) + 0.5) / 19 * 7 - 0.5)
        }
        #expect(distance(mask.array, plain.array) < 1e-5)
    }
}
