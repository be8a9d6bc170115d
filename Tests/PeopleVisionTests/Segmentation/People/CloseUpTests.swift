import Imaging
import PeopleVision
import TestSupport
import Testing

/// The small model's looks at one person after another.
struct CloseUpTests {
    @Test func allPeopleAreThoseLookedAt() throws {
        let image = try Picture.row(of: 2).image
        let closeUps = CloseUps(.forTests)
        // The first frame's people are gone in the second.
        for _ in 0..<2 {
            closeUps.begin(.init(width: 250, height: 125))
            var all = MaskGrid(250, 125).array
            for left in [0.0, 0.5] {
                let box = Rectangle(x: left, y: 0, width: 0.44, height: 1)
                try closeUps.look(at: box, of: image.view, orientation: .up)
                let (start, person) = (Int(250 * left), closeUps.person)
                #expect(person[start + 53, 30] > 0.9 && person[start + 53, 90] > 0.9)
                #expect(person[start + 100, 20] < 0.1)
                // Outside the box and a tenth around it there is nothing.
                #expect((0..<125).allSatisfy { person[(start + 185) % 250, $0] == 0 })
                all = zip(all, person.array).map { max($0, $1) }
                #expect(distance(closeUps.people.array, all) == 0)
            }
        }
        closeUps.begin(.init(width: 250, height: 125))
        #expect(closeUps.people.array.allSatisfy { $0 == 0 })
    }
}
