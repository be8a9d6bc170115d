import Imaging
import PeopleVision
import Testing

struct GroupRefinementTests {
    /// Someone `height` of the frame high whose box ends at `end`.
    private func person(_ height: Double, end: Double = 1, isDetected: Bool = true) -> TrackedPerson {
        TrackedPerson(
            box: Rectangle(x: 0.3, y: end - height, width: 0.2, height: height), isDetected: isDetected)
    }

    private func concern(_ people: TrackedPerson...) throws -> Bool {
        try #require(QualityProfile.accurate.groups).concern(people, certain: people)
    }

    @Test func groupsAreConcerned() throws {
        #expect(try concern(person(0.9), person(0.8)))
        #expect(try concern(person(0.9), person(0.41)))
        #expect(try !concern(person(0.9), person(0.39)))
    }

    /// What a detector takes for another person behind a portrait does not make it a group.
    @Test func uncertainPeopleMakeNoGroup() throws {
        let people = [person(0.9), person(0.8)]
        let limits = try #require(QualityProfile.accurate.groups)
        #expect(!limits.concern(people, certain: people.prefix(1)))
        #expect(limits.concern([person(0.4), person(0.3)], certain: []))
    }

    @Test func ofOnePersonSmallOnesAreConcerned() throws {
        #expect(try concern(person(0.4)))
        #expect(try concern(person(0.7, end: 0.9)))
        #expect(try !concern(person(0.7)))
        #expect(try !concern(person(0.9, end: 0.95)))
    }

    @Test func nobodyIsConcernedWhomOnlyTheCoverageShows() throws {
        #expect(try !concern())
        #expect(try !concern(person(0.4, isDetected: false)))
    }
}
