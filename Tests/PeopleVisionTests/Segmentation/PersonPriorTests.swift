import Imaging
import PeopleVision
import TestSupport
import Testing

struct PersonPriorTests {
    private func person(_ x: Double, _ width: Double, isProminent: Bool = true) -> TrackedPerson {
        TrackedPerson(box: Rectangle(x: x, y: 0.1, width: width, height: 0.7), isProminent: isProminent)
    }

    // Rule: person-margin.
    @Test func aPassReachesATenthBeyondTheBox() throws {
        let image = try Photo.row(of: 1).image
        let prior = try PersonPrior(.forTests)
        try prior.estimate(image.view, orientation: .up, [person(0.3, 0.25)])
        let crop = try #require(prior.people.first).crop
        #expect(abs(crop.x - 0.275) < 1e-9 && abs(crop.width - 0.3) < 1e-9)
        #expect(abs(crop.y - 0.03) < 1e-9 && abs(crop.height - 0.84) < 1e-9)
    }

    @Test func eachPersonHasCoverageOfTheirOwn() throws {
        let image = try Photo.row(of: 2).image
        let prior = try PersonPrior(.forTests)
        let people = [0.0, 0.5].map {
            TrackedPerson(
                box: Rectangle(x: $0 + 0.02, y: 0.03, width: 0.335, height: 0.97), isProminent: $0 == 0)
        }
        // The first frame's people are gone in the second.
        for count in [2, 1] {
            try prior.estimate(image.view, orientation: .up, Array(people.prefix(count)))
            #expect(prior.people.count == count)
            for (person, tracked) in zip(prior.people, people) {
                #expect(person.isProminent == tracked.isProminent)
                let (crop, coverage) = (person.crop, person.coverage)
                func covered(_ x: Double, _ y: Double) -> Float {
                    coverage.value(
                        atX: (tracked.box.x - 0.02 + x / 2 - crop.x) / crop.width * Double(coverage.width),
                        y: (y - crop.y) / crop.height * Double(coverage.height))
                }
                // The face and the chest, and the lab above the shoulder.
                #expect(covered(0.43, 0.25) > 0.9 && covered(0.43, 0.72) > 0.9)
                #expect(covered(0.74, 0.1) < 0.1)
            }
        }
        try prior.estimate(image.view, orientation: .up, [])
        #expect(prior.people.isEmpty)
    }

    // Rule: certain-people.
    /// The model's output for a crop without a clear person is mostly the shape of the crop, whose straight
    /// edges
    /// would be visible.
    @Test func aPersonWhoseCoverageIsUncertainIsLeftOut() throws {
        let picture = try Photo.row(of: 2, empty: 1)
        let image = picture.noisy(deviation: 8, seed: 3).image
        let prior = try PersonPrior(.forTests)
        let people = [person(0.02, 0.335), person(0.6, 0.3), person(0.05, 0.3)]
        try prior.estimate(image.view, orientation: .up, people)
        #expect(prior.people.count == 2)
        #expect(prior.people.allSatisfy { $0.crop.x < 0.5 })
        #expect(prior.all.count == 3 && prior.all.last?.person == people[1])
    }
}
