import Imaging
import PeopleVision
import TestSupport
import Testing

/// The small model's looks at one person after another.
struct CloseUpTests {
    @Test func aLookReachesATenthBeyondItsBox() throws {
        let image = try Picture.row(of: 1).image
        let closeUps = CloseUps(.forTests)
        closeUps.begin(.init(width: 200, height: 200))
        // Within the trunk on three sides: 60...110 by 20...160.
        let box = Rectangle(x: 0.3, y: 0.1, width: 0.25, height: 0.7)
        try closeUps.look(at: box, of: image.view, orientation: .up)
        let person = closeUps.person
        #expect((57..<113).allSatisfy { person[$0, 140] > 0 } && person[85, 172] > 0)
        for y in 0..<200 {
            let isEmpty = (0..<200).allSatisfy { person[$0, y] == 0 || (55..<115).contains($0) && y < 174 }
            #expect(isEmpty, "row \(y)")
        }
    }

    @Test func allPeopleAreThoseLookedAt() throws {
        let image = try Picture.row(of: 2).image
        let closeUps = CloseUps(.forTests)
        // The first frame's people are gone in the second.
        for _ in 0..<2 {
            closeUps.begin(.init(width: 250, height: 125))
            var all = FloatImage(250, 125).array
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

    @Test func whatTheWholeFrameIsSureOfCountsToo() {
        let closeUps = CloseUps(.forTests)
        closeUps.begin(.init(width: 4, height: 1))
        closeUps.finish(with: FloatImage(4, 1) { x, _ in [0, 0.8, 0.875, 0.95][x] })
        #expect(distance(closeUps.people.array, [0, 0, 0.5, 1]) < 1e-5)
    }
}
