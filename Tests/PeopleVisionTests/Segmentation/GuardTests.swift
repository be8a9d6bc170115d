import Imaging
import PeopleVision
import TestSupport
import Testing

/// Matte of what is nobody.
struct GuardTests {
    private let guardian = MatteGuard()

    /// In values of the small model: none up to 0.1, all from 0.4 on, grown by 0.015 of the longer side.
    @Test(arguments: [(1, 1), (1, 9), (33, 18), (67, 1), (70, 41), (134, 33), (5, 201)])
    func confinesAsByThePlainDefinition(width: Int, height: Int) {
        var images = RandomImages()
        let reach = Int(0.015 * Double(max(width, height)))
        for (wide, high) in [(width, height), (width + 3, 2 * height), (2 * width, (height + 1) / 2)] {
            let people = images.speckled(width, height, share: 0.04)
            people.multiply(images.random(width, height))
            let matte = images.random(wide, high)
            let near = FloatImage(width, height) { x, y in
                var highest: Float = 0
                for v in max(0, y - reach)...min(height - 1, y + reach) {
                    for u in max(0, x - reach)...min(width - 1, x + reach) {
                        highest = max(highest, min(max((people[u, v] - 0.1) / 0.3, 0), 1))
                    }
                }
                return highest
            }
            let limit = near.resized(wide, high)
            let expected = FloatImage(wide, high) { x, y in min(matte[x, y], limit[x, y]) }
            guardian.confine(matte, to: people)
            #expect(distance(matte.array, expected.array) < 1e-4, "at \(wide)x\(high)")
        }
    }

    /// A person, and a chair, in 100x80.
    private func matte(veil: Float = 0) -> FloatImage {
        FloatImage(100, 80) { x, y in
            (10..<40).contains(x) && y >= 20 || (60..<90).contains(x) && y >= 40 ? 1 : veil
        }
    }

    @Test func aPartWithoutAnybodyGoes() {
        let (matte, people) = (matte(), FloatImage(50, 40) { x, y in x < 20 && y > 12 ? 1 : 0 })
        guardian.dropStrays(from: matte, people: people)
        #expect(matte[20, 50] == 1 && matte[75, 60] == 0)
        #expect(guardian.extent == Rectangle(x: 0.1, y: 0.25, width: 0.3, height: 0.75))
        guardian.reset()
        #expect(guardian.extent == nil)
    }

    @Test func peopleStayWholeWhereSomeOfThemIsSeen() throws {
        let (whole, matte) = (matte(), matte())
        // A sixth of the chair's part, and all of the other one.
        let people = FloatImage(100, 80) { x, y in x < 40 || (60..<65).contains(x) ? 1 : 0 }
        guardian.dropStrays(from: matte, people: people)
        #expect(distance(matte.array, whole.array) == 0)
        let extent = try #require(guardian.extent)
        #expect(extent.x == 0.1 && extent.y == 0.25)
        #expect(abs(extent.width - 0.8) < 1e-9 && abs(extent.height - 0.75) < 1e-9)
    }

    @Test func hazeStaysOnlyNearPeople() {
        let matte = matte(veil: 0.2)
        guardian.dropStrays(from: matte, people: FloatImage(100, 80) { _, _ in 1 })
        #expect(matte[9, 50] == 0.2 && matte[8, 50] == 0.2 && matte[7, 50] == 0)
        #expect(matte[50, 10] == 0)
    }

    @Test func anEmptyMatteHasNoExtent() {
        let (matte, people) = (FloatImage(30, 20), FloatImage(30, 20) { _, _ in 1 })
        guardian.dropStrays(from: self.matte(), people: people)
        #expect(guardian.extent != nil)
        guardian.dropStrays(from: matte, people: people)
        #expect(guardian.extent == nil)
    }
}
