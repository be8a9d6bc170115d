import Imaging
import PeopleVision
import Testing

struct GroupRefinementTests {
    /// Returns a person `height` of the frame high whose box ends at `end`.
    private func person(_ height: Double, end: Double = 1, isDetected: Bool = true) -> TrackedPerson {
        TrackedPerson(
            box: Rectangle(x: 0.3, y: end - height, width: 0.2, height: height), isDetected: isDetected)
    }

    private func areGroupOrSmall(_ people: TrackedPerson...) -> Bool {
        GroupChoice.areGroupOrSmall(people, certain: people)
    }

    @Test func refinesGroups() {
        #expect(areGroupOrSmall(person(0.9), person(0.8)))
        #expect(areGroupOrSmall(person(0.9), person(0.41)))
        #expect(!areGroupOrSmall(person(0.9), person(0.39)))
    }

    /// Passers-by stand higher in the image than a whole figure in front of them.
    @Test func passersByBehindAPersonMakeNoGroup() {
        let model = person(0.9, end: 0.98)
        #expect(areGroupOrSmall(model, person(0.6, end: 0.9)))
        #expect(!areGroupOrSmall(model, person(0.6, end: 0.8)))
        // If the frame cuts the tallest person, it is unknown who stands behind.
        #expect(areGroupOrSmall(person(0.9), person(0.6, end: 0.8)))
        #expect(areGroupOrSmall(person(0.75, end: 0.9), person(0.5, end: 0.7)))
    }

    /// A false detection behind a portrait does not make it a group.
    @Test func uncertainPeopleMakeNoGroup() {
        let people = [person(0.9), person(0.8)]
        #expect(!GroupChoice.areGroupOrSmall(people, certain: people.prefix(1)))
        #expect(GroupChoice.areGroupOrSmall([person(0.4, end: 0.9), person(0.3)], certain: []))
    }

    @Test func refinesASinglePersonOnlyWhenSmallAndWhole() {
        #expect(areGroupOrSmall(person(0.7, end: 0.9)))
        #expect(!areGroupOrSmall(person(0.4)))
        #expect(!areGroupOrSmall(person(0.7)))
        #expect(!areGroupOrSmall(person(0.9, end: 0.95)))
        #expect(!areGroupOrSmall(person(0.7, end: 0.995)))
    }

    @Test func headsWithShouldersAreWiderThanHigh() {
        let box = Rectangle(x: 0.2, y: 0.3, width: 0.5, height: 0.7)
        #expect(box.isWiderThanHigh(in: Size(width: 640, height: 360)))
        #expect(!box.isWiderThanHigh(in: Size(width: 360, height: 640)))
        #expect(!box.isWiderThanHigh(in: Size(width: 700, height: 500)))
    }

    @Test func ignoresPeopleWithoutADetection() {
        #expect(!areGroupOrSmall())
        #expect(!areGroupOrSmall(person(0.4, isDetected: false)))
    }
}
