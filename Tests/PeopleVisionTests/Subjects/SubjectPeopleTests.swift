import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of the choice of people who are subjects.
struct SubjectPeopleTests {
    private let people = SubjectPeople()

    /// Returns a person who fills a box.
    private func person(_ x: Double, width: Double = 0.2, isDetected: Bool = true) -> PersonPrior.Person {
        let box = Rectangle(x: x, y: 0.2, width: width, height: 0.6)
        return PersonPrior.Person(
            crop: box, person: TrackedPerson(box: box, isDetected: isDetected),
            coverage: FloatImage(16, 16) { _, _ in 1 })
    }

    /// Returns a row of a full mask after the choice of people, with saliency only in some of ten columns.
    private func shown(_ found: [PersonPrior.Person], salientFrom column: Int, to end: Int = 10) -> [Float] {
        let saliency = FloatImage(10, 10) { x, _ in (column..<end).contains(x) ? 1 : 0 }
        people.choose(found[...], saliency, minimumPart: 0.3)
        let target = FloatImage()
        people.confine(FloatImage(10, 10) { _, _ in 1 }, into: target)
        return (0..<10).map { target.row(5)[$0] }
    }

    @Test func spectatorsAreNoSubjects() {
        let row = shown([person(0), person(0.7)], salientFrom: 6)
        #expect(people.count == 1)
        #expect(row[..<6].allSatisfy { $0 == 0 } && row[7...8].allSatisfy { $0 == 1 })
    }

    @Test func aPartlySalientPersonIsAWholeSubject() {
        #expect(shown([person(0.2, width: 0.6)], salientFrom: 6)[2...7].allSatisfy { $0 == 1 })
    }

    @Test func withoutASalientPersonAllPeopleAreSubjects() {
        #expect(shown([person(0), person(0.7)], salientFrom: 4, to: 6)[0] == 1)
        #expect(people.count == 2)
    }

    @Test func peopleBesideALargerObjectAreNoSubjects() {
        #expect(
            shown([person(0, width: 0.1), person(0.9, width: 0.1)], salientFrom: 2, to: 8).allSatisfy {
                $0 == 0
            })
        #expect(people.count == 0)
    }

    @Test func aSubjectExcludesAreasCoveredByOthers() {
        // The spectator stands within reach of the subject's box.
        let row = shown([person(0.38, width: 0.2), person(0.6, width: 0.4)], salientFrom: 6)
        #expect(people.count == 1)
        #expect(row[4...5].allSatisfy { $0 < 0.2 } && row[6] == 1)
    }

    @Test func theSalientPartOfASpectatorIsNoSubject() {
        let row = shown([person(0.1, width: 0.4), person(0.5, width: 0.4)], salientFrom: 4)
        #expect(people.count == 1)
        #expect(row[..<5].allSatisfy { $0 < 0.2 } && row[6...7].allSatisfy { $0 == 1 })
    }

    @Test func peopleWithoutADetectionAreNoSubjects() {
        #expect(shown([person(0.2, isDetected: false)], salientFrom: 0).allSatisfy { $0 == 0 })
        #expect(people.count == 0)
    }
}
