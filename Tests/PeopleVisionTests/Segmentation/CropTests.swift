import Imaging
import PeopleVision
import TestSupport
import Testing

@Suite struct CropTests {
    private let planner = CropPlanner()

    private let person = Rectangle(x: 0.3, y: 0.4, width: 0.2, height: 0.5)

    private func isNear(_ one: Rectangle, _ other: Rectangle) -> Bool {
        let (x, y) = (abs(one.x - other.x), abs(one.y - other.y))
        return max(x, y, abs(one.width - other.width), abs(one.height - other.height)) < 1e-9
    }

    @Test func nobodyIsLookedForEverywhere() {
        planner.update(people: nil)
        #expect(planner.crop == .unit)
        planner.update(people: nil, matte: person)
        #expect(planner.crop == .unit)
    }

    @Test func aCropHoldsThePeopleWithATwentiethOfTheirSizeAround() {
        planner.update(people: person)
        #expect(isNear(planner.crop, Rectangle(x: 0.29, y: 0.375, width: 0.22, height: 0.55)))
        planner.update(people: nil)
        planner.update(people: Rectangle(x: 0.01, y: 0.5, width: 0.4, height: 0.5))
        #expect(isNear(planner.crop, Rectangle(x: 0, y: 0.475, width: 0.43, height: 0.525)))
    }

    @Test func aCropStaysWhileThePeopleKeepWithin() {
        planner.update(people: person)
        let before = planner.crop
        planner.update(people: Rectangle(x: 0.3, y: 0.41, width: 0.2, height: 0.49))
        #expect(planner.crop == before)
        planner.update(people: Rectangle(x: 0.295, y: 0.4, width: 0.2, height: 0.5))
        #expect(planner.crop != before)
    }

    @Test func aCropThatIsTooLargeShrinks() {
        planner.update(people: person)
        let before = planner.crop
        planner.update(people: Rectangle(x: 0.32, y: 0.45, width: 0.15, height: 0.4))
        #expect(planner.crop == before)
        planner.update(people: Rectangle(x: 0.32, y: 0.45, width: 0.12, height: 0.4))
        #expect(isNear(planner.crop, Rectangle(x: 0.314, y: 0.43, width: 0.132, height: 0.44)))
    }

    @Test func theNextSceneHasACropOfItsOwn() {
        planner.update(people: person)
        let next = Rectangle(x: 0.31, y: 0.42, width: 0.18, height: 0.46)
        planner.update(people: next)
        #expect(planner.crop.width > 0.2)
        planner.reset()
        planner.update(people: next)
        #expect(isNear(planner.crop, Rectangle(x: 0.301, y: 0.397, width: 0.198, height: 0.506)))
    }

    @Test func knowsOnePersonFromSeveralAndNone() {
        #expect(!planner.isOnePerson)
        planner.update(people: person)
        #expect(planner.isOnePerson)
        planner.update(people: person, isGroup: true)
        #expect(!planner.isOnePerson)
        planner.update(people: .unit)
        #expect(planner.isOnePerson)
        planner.update(people: nil)
        #expect(!planner.isOnePerson)
    }

    @Test func fromSixTenthsOnTheWholeFrameIsSeen() {
        planner.update(people: Rectangle(x: 0.2, y: 0, width: 0.53, height: 1))
        #expect(isNear(planner.crop, Rectangle(x: 0.1735, y: 0, width: 0.583, height: 1)))
        planner.update(people: Rectangle(x: 0.15, y: 0, width: 0.6, height: 1))
        #expect(planner.crop == .unit)
        planner.update(people: .unit)
        #expect(planner.crop == .unit)
    }

    @Test func whatTheMatteHeldStaysInTheCrop() {
        planner.update(people: person)
        #expect(planner.crop.y > 0.3)
        planner.update(people: person, matte: Rectangle(x: 0.3, y: 0.2, width: 0.2, height: 0.6))
        #expect(isNear(planner.crop, Rectangle(x: 0.29, y: 0.165, width: 0.22, height: 0.77)))
    }

    @Test func aCropThatCutsSomebodyOffGrowsThere() {
        planner.update(people: Rectangle(x: 0.3, y: 0.45, width: 0.2, height: 0.4))
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
        let matte = FloatImage(64, 48) { x, y in (20..<30).contains(x) && y < 40 || x > 60 && y == 47 ? 1 : 0
        }
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
}
