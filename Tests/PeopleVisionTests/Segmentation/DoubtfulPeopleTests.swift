import Imaging
import PeopleVision
import Testing

struct DoubtfulPeopleTests {
    /// A portrait, and something taller than it.
    private let portrait = TrackedPerson(box: Rectangle(x: 0.2, y: 0.3, width: 0.6, height: 0.7), score: 0.9)
    private let face = Rectangle(x: 0.4, y: 0.4, width: 0.2, height: 0.2)

    private func thing(_ score: Double, y: Double = 0, width: Double = 0.5) -> TrackedPerson {
        TrackedPerson(box: Rectangle(x: 0, y: y, width: width, height: 1 - y), score: score)
    }

    // Rule: own-face.
    @Test func aTallerAndLessCertainPersonNeedsAFace() {
        let people = [thing(0.6), portrait]
        #expect(DoubtfulPeople.areAmong(people))
        #expect(DoubtfulPeople.removed(from: people, without: [face]) == [portrait])
        // A face in both boxes is that of the smaller one; this one is not.
        let another = Rectangle(x: 0.05, y: 0.1, width: 0.1, height: 0.1)
        #expect(DoubtfulPeople.removed(from: people, without: [face, another]) == people)
    }

    /// The whole image is no second person, however sure the detector is.
    @Test func aBoxAroundAnotherPersonBeginsAtAFace() {
        let people = [thing(0.95, width: 1), portrait]
        #expect(DoubtfulPeople.areAmong(people))
        #expect(DoubtfulPeople.removed(from: people, without: [face]) == [portrait])
        // Somebody seen from behind, over whose shoulder a child looks.
        let high = Rectangle(x: 0.4, y: 0.15, width: 0.2, height: 0.2)
        let child = TrackedPerson(box: Rectangle(x: 0.3, y: 0.1, width: 0.4, height: 0.6), score: 0.9)
        let parent = thing(0.95, width: 1)
        #expect(DoubtfulPeople.removed(from: [parent, child], without: [high]) == [parent, child])
    }

    @Test func othersNeedNone() {
        for people in [[thing(0.8), portrait], [portrait, thing(0.6, y: 0.4)], [thing(0.3)], []] {
            #expect(!DoubtfulPeople.areAmong(people))
            #expect(DoubtfulPeople.removed(from: people, without: [face]) == people)
        }
    }

    /// Where nobody shows a face, people may be seen from behind.
    @Test func nobodyIsLeftOutWithoutAFaceBeside() {
        let people = [thing(0.6), portrait]
        #expect(DoubtfulPeople.removed(from: people, without: []) == people)
    }
}
