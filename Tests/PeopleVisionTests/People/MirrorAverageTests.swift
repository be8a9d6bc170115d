import Imaging
import PeopleVision
import TestSupport
import Testing

struct MirrorAverageTests {
    private let average = MirrorAverage(samePerson: 0.5, certain: 0.375)

    private func person(_ x: Double, _ width: Double, _ score: Double) -> BoxDetection {
        BoxDetection(box: Rectangle(x: x, y: 0.25, width: width, height: 0.5), score: score)
    }

    /// Returns the means, from left to right: left edge, width and score.
    private func means(_ people: [BoxDetection], mirrored: [BoxDetection]) -> [[Double]] {
        var people = people
        average.apply(to: &people, mirrored: mirrored)
        return people.map { [$0.box.x, $0.box.width, $0.score] }.sorted { $0[0] < $1[0] }
    }

    @Test func boxesAndScoresOfBothAreAveraged() {
        // In the mirror image the first person is at 0.5...0.75, the second at 0...0.25.
        let found = means(
            [person(0.25, 0.375, 0.5), person(0.75, 0.25, 0.5)],
            mirrored: [person(0, 0.25, 0.75), person(0.5, 0.25, 0.75)])
        #expect(found == [[0.25, 0.3125, 0.625], [0.75, 0.25, 0.625]])
    }

    @Test func peopleWhomOneOfBothMissesStayAsTheyAre() {
        let people = [person(0, 0.25, 0.75), person(0.5, 0.25, 0.5)]
        let plain = [[0, 0.25, 0.75], [0.5, 0.25, 0.5]]
        #expect(means(people, mirrored: []) == plain)
        #expect(means(people, mirrored: [person(0.75, 0.25, 0.5)]) == plain)
        // The other is too uncertain, or elsewhere.
        #expect(means(people, mirrored: [person(0.75, 0.25, 0.5), person(0.25, 0.25, 0.25)]) == plain)
        #expect(means(people, mirrored: [person(0.75, 0.25, 0.5), person(0, 0.25, 0.5)]) == plain)
        #expect(
            means(people, mirrored: [person(0.75, 0.25, 0.5), person(0.25, 0.25, 0.5), person(0, 0.25, 0.5)])
                == plain)
        #expect(means([], mirrored: people).isEmpty)
    }

    @Test func uncertainPeopleStayAsTheyAre() {
        let found = means(
            [person(0, 0.25, 0.5), person(0.5, 0.25, 0.25)],
            mirrored: [person(0.75, 0.25, 0.75), person(0.125, 0.25, 0.25)])
        #expect(found == [[0, 0.25, 0.625], [0.5, 0.25, 0.25]])
    }

    @Test func theNearestBoxOfTheMirrorImageCounts() {
        // In the mirror image at 0.125 and 0.25.
        let found = means(
            [person(0.25, 0.5, 0.5), person(0.125, 0.5, 0.5)],
            mirrored: [person(0.375, 0.5, 0.75), person(0.25, 0.5, 1)])
        #expect(found == [[0.125, 0.5, 0.625], [0.25, 0.5, 0.75]])
    }

    @Test func anImageAndItsMirrorImageHaveTheSameMeans() {
        let (one, other) = ([person(0.125, 0.5, 0.5)], [person(0.25, 0.5, 0.75)])
        let found = means(one, mirrored: other)
        let swapped = means(other, mirrored: one).map { [1 - $0[0] - $0[1], $0[1], $0[2]] }
        #expect(found == swapped.sorted { $0[0] < $1[0] })
    }

    @Test func peopleOfAStillImageAreThoseOfItsMirrorImage() throws {
        let row = try Photo.row(of: 3)
        let detector = try PersonDetector(.forTests)
        func find(_ image: TestImage, isStill: Bool) throws -> [BoxDetection] {
            var people: [BoxDetection] = []
            try detector.find(in: image.view, orientation: .up, andMirrorImage: isStill, into: &people)
            return people.filter { $0.score >= 0.4 }.sorted { $0.box.x < $1.box.x }
        }
        let people = try find(row.image, isStill: true)
        let others = try find(row.mirrored.image, isStill: true).reversed()
        #expect(people.count == 3 && others.count == 3)
        for (person, other) in zip(people, others) {
            let box = FrameTransform.mirrored.map(other.box)
            #expect(abs(person.box.x - box.x) + abs(person.box.width - box.width) < 0.01)
            #expect(abs(person.score - other.score) < 0.01)
        }
        let plain = try find(row.image, isStill: false)
        #expect(zip(people, plain).contains { $0.box != $1.box })
    }
}
