import Imaging
import PeopleVision
import Testing

@Suite struct CropTests {
    private let planner = CropPlanner()

    /// Shows the planner people, as rectangles of a mask of 100x100.
    private func see(_ people: PixelRect...) {
        let mask = MaskGrid(100, 100) { x, y in
            let isPerson = people.contains {
                ($0.x..<($0.x + $0.width)).contains(x) && ($0.y..<($0.y + $0.height)).contains(y)
            }
            return isPerson ? 1 : 0
        }
        let parts = MaskParts()
        parts.find(in: mask, above: 0.5)
        planner.update(parts, width: 100, height: 100, atLeast: 20)
    }

    @Test func nobodyNeedsNoCrop() {
        see()
        #expect(planner.crops.isEmpty)
    }

    @Test func aCropHoldsThePersonWithSpaceAround() throws {
        see(PixelRect(x: 30, y: 40, width: 20, height: 50))
        #expect(planner.crops.count == 1)
        let crop = try #require(planner.crops.first)
        #expect(crop.x < 0.3 && crop.x + crop.width > 0.5 && crop.y < 0.4 && crop.y + crop.height > 0.9)
        #expect(crop.width < 0.3)
    }

    @Test func aCropStaysWhileThePersonKeepsWithin() {
        see(PixelRect(x: 30, y: 40, width: 20, height: 50))
        let before = planner.crops
        see(PixelRect(x: 30, y: 41, width: 20, height: 49))
        #expect(planner.crops == before)
        see(PixelRect(x: 45, y: 40, width: 20, height: 50))
        #expect(planner.crops != before)
        see(PixelRect(x: 50, y: 60, width: 8, height: 10))
        #expect((planner.crops.first?.width ?? 1) < 0.2)
    }

    @Test func newcomersAndLossesAreSeenAtOnce() {
        see(PixelRect(x: 5, y: 30, width: 15, height: 60))
        see(PixelRect(x: 5, y: 30, width: 15, height: 60), PixelRect(x: 80, y: 30, width: 15, height: 60))
        #expect(planner.crops.count == 2)
        see(PixelRect(x: 80, y: 30, width: 15, height: 60))
        #expect(planner.crops.count == 1)
        see()
        #expect(planner.crops.isEmpty)
    }

    @Test func neighboursAndCrowdsShareCrops() {
        see(PixelRect(x: 20, y: 30, width: 20, height: 60), PixelRect(x: 45, y: 30, width: 20, height: 60))
        #expect(planner.crops.count == 1)
        see(
            PixelRect(x: 2, y: 2, width: 12, height: 20), PixelRect(x: 85, y: 2, width: 12, height: 20),
            PixelRect(x: 2, y: 75, width: 12, height: 20), PixelRect(x: 85, y: 75, width: 12, height: 20))
        #expect((1...2).contains(planner.crops.count))
        for x in [8.0, 91] {
            for y in [12.0, 85] {
                #expect(planner.crops.contains { $0.holds(Point(x: x / 100, y: y / 100)) })
            }
        }
    }

    @Test func cropsNeverLeaveTheFrame() {
        see(PixelRect(x: 0, y: 0, width: 100, height: 100))
        #expect(planner.crops == [.unit])
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

extension Rectangle {
    fileprivate func holds(_ point: Point) -> Bool {
        (x...(x + width)).contains(point.x) && (y...(y + height)).contains(point.y)
    }
}
