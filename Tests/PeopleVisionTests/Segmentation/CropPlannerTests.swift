import Imaging
import PeopleVision
import Testing

struct CropPlannerTests {
    private var planner = CropPlanner()

    private let person = Rectangle(x: 0.3, y: 0.4, width: 0.2, height: 0.5)

    /// Shows the planner prominent people in `boxes`.
    private mutating func see(_ boxes: Rectangle...) {
        planner.update(boxes.map { TrackedPerson(box: $0) })
    }

    private func isNear(_ one: Rectangle, _ other: Rectangle) -> Bool {
        let (x, y) = (abs(one.x - other.x), abs(one.y - other.y))
        return max(x, y, abs(one.width - other.width), abs(one.height - other.height)) < 1e-9
    }

    @Test mutating func withoutPeopleTheCropIsTheWholeFrame() {
        #expect(planner.crop == .unit && !planner.isGroup)
        see(person)
        #expect(planner.crop != .unit && !planner.isGroup)
        see()
        #expect(planner.crop == .unit && !planner.isGroup)
    }

    // Rule: crop.
    @Test mutating func aCropHoldsThePeopleWithATwentiethOfTheirSizeAround() {
        see(person)
        #expect(isNear(planner.crop, Rectangle(x: 0.29, y: 0.375, width: 0.22, height: 0.55)))
        see()
        see(Rectangle(x: 0.01, y: 0.5, width: 0.4, height: 0.5))
        #expect(isNear(planner.crop, Rectangle(x: 0, y: 0.475, width: 0.43, height: 0.525)))
    }

    @Test mutating func aCropHoldsAllProminentPeople() {
        let other = Rectangle(x: 0.6, y: 0.5, width: 0.1, height: 0.4)
        see(person, other)
        #expect(planner.isGroup)
        #expect(isNear(planner.crop, Rectangle(x: 0.28, y: 0.375, width: 0.44, height: 0.55)))
        planner.reset()
        planner.update([TrackedPerson(box: person), TrackedPerson(box: other, isProminent: false)])
        #expect(!planner.isGroup)
        #expect(isNear(planner.crop, Rectangle(x: 0.29, y: 0.375, width: 0.22, height: 0.55)))
    }

    // Rule: crop-kept.
    @Test mutating func aCropStaysWhilePeopleKeepWithin() {
        see(person)
        let before = planner.crop
        see(Rectangle(x: 0.3, y: 0.41, width: 0.2, height: 0.49))
        #expect(planner.crop == before)
        see(Rectangle(x: 0.295, y: 0.4, width: 0.2, height: 0.5))
        #expect(planner.crop != before)
    }

    @Test mutating func aCropThatIsTooLargeShrinks() {
        see(person)
        let before = planner.crop
        see(Rectangle(x: 0.32, y: 0.45, width: 0.15, height: 0.4))
        #expect(planner.crop == before)
        see(Rectangle(x: 0.32, y: 0.45, width: 0.12, height: 0.4))
        #expect(isNear(planner.crop, Rectangle(x: 0.314, y: 0.43, width: 0.132, height: 0.44)))
    }

    @Test mutating func theNextSceneHasACropOfItsOwn() {
        see(person)
        let next = Rectangle(x: 0.31, y: 0.42, width: 0.18, height: 0.46)
        see(next)
        #expect(planner.crop.width > 0.2)
        planner.reset()
        see(next)
        #expect(isNear(planner.crop, Rectangle(x: 0.301, y: 0.397, width: 0.198, height: 0.506)))
    }

    // Rule: crop-fill.
    @Test mutating func aCropOfMostOfTheFrameIsTheWholeFrame() {
        see(Rectangle(x: 0.2, y: 0, width: 0.53, height: 1))
        #expect(isNear(planner.crop, Rectangle(x: 0.1735, y: 0, width: 0.583, height: 1)))
        see(Rectangle(x: 0.15, y: 0, width: 0.6, height: 1))
        #expect(planner.crop == .unit)
        // A crop for this person would be small enough, but frequent changes of the crop make the mask
        // shimmer.
        see(Rectangle(x: 0.17, y: 0, width: 0.53, height: 1))
        #expect(planner.crop == .unit)
        see(.unit)
        #expect(planner.crop == .unit)
    }

    @Test mutating func aCropIsWidenedAtTheEdgesThatCutAPerson() {
        let person = Rectangle(x: 0.3, y: 0.45, width: 0.2, height: 0.4)
        see(person)
        let before = planner.crop
        planner.widen(.top)
        let wide = planner.crop
        #expect(wide.y < before.y - 0.1 && wide.x == before.x && wide.width == before.width)
        #expect(abs(wide.y + wide.height - before.y - before.height) < 1e-9)
        see(person)
        #expect(planner.crop == wide)
        planner.widen([.left, .right, .bottom])
        #expect(planner.crop.x < before.x && abs(planner.crop.y + planner.crop.height - 1) < 1e-9)
        for _ in 0..<5 { planner.widen([.left, .right, .top]) }
        #expect(planner.crop == .unit)
    }

    // Rule: crop-mask.
    @Test mutating func aCropHoldsTheLastMaskToo() {
        planner.update([TrackedPerson(box: person)], mask: Rectangle(x: 0.3, y: 0.2, width: 0.2, height: 0.6))
        #expect(isNear(planner.crop, Rectangle(x: 0.29, y: 0.165, width: 0.22, height: 0.77)))
        // Without a person there is nothing to follow.
        planner.update([], mask: person)
        #expect(planner.crop == .unit)
    }

    @Test(arguments: 0..<4) mutating func aBoxThatIsNoNumberGivesACropWithinTheFrame(side: Int) {
        let sides = (0..<4).map { $0 == side ? .nan : 0.3 }
        see(Rectangle(x: sides[0], y: sides[1], width: sides[2], height: sides[3]))
        let crop = planner.crop
        #expect(crop.x >= 0 && crop.y >= 0 && crop.width > 0 && crop.height > 0)
        #expect(crop.x + crop.width <= 1 && crop.y + crop.height <= 1)
        see(person)
        #expect(isNear(planner.crop, Rectangle(x: 0.29, y: 0.375, width: 0.22, height: 0.55)))
    }
}
