import Imaging
import PeopleVision
import TestSupport
import Testing

/// One box for each person.
struct DetectedPersonTests {
    private func person(_ x: Double, score: Double) -> DetectedPerson {
        DetectedPerson(box: Rectangle(x: x, y: 0.1, width: 0.2, height: 0.8), score: score)
    }

    @Test func onePersonSeenTwiceIsOne() {
        var people = [
            person(0.1, score: 0.6), person(0.4, score: 0.7), person(0.12, score: 0.9),
            person(0.7, score: 0.5),
        ]
        people.reduceToOneEach(most: 8)
        #expect(people.map(\.score) == [0.9, 0.7, 0.5])
        people.reduceToOneEach(most: 2)
        #expect(people.map(\.score) == [0.9, 0.7])
        people = []
        people.reduceToOneEach(most: 2)
        #expect(people.isEmpty)
    }

    @Test func peopleWhoStandCloseAreTwo() {
        // They share 0.12 of 0.28, in width: less than a half.
        var people = [person(0.1, score: 0.6), person(0.18, score: 0.7)]
        people.reduceToOneEach(most: 8)
        #expect(people.map(\.score) == [0.7, 0.6])
    }

    @Test(arguments: [0, 1, 5, 16]) func equalsThePlainDefinition(most: Int) {
        var generator = SeededGenerator(seed: 3)
        for count in [0, 1, 2, 30, 100] {
            var people = (0..<count).map { _ in
                DetectedPerson(
                    box: Rectangle(
                        x: generator.number(0...0.6), y: generator.number(0...0.4),
                        width: generator.number(0.1...0.4), height: generator.number(0.3...0.6)),
                    score: generator.number(0...1))
            }
            let expected = plainlyReduced(people, most)
            people.reduceToOneEach(most: most)
            #expect(people.map(\.score) == expected.map(\.score), "\(count)")
            #expect(people.map(\.box) == expected.map(\.box), "\(count)")
        }
    }

    @Test func boxesEndAtTheFrame() throws {
        let inside = try #require(
            DetectedPerson(left: 0.25, top: 0.5, right: 0.75, bottom: 0.875, score: 0.5))
        #expect(inside.box == Rectangle(x: 0.25, y: 0.5, width: 0.5, height: 0.375))
        #expect(inside.score == 0.5)
        let cut = DetectedPerson(left: -0.5, top: -1, right: 3, bottom: 0.5, score: 0.5)
        #expect(cut?.box == Rectangle(x: 0, y: 0, width: 1, height: 0.5))
        let all = DetectedPerson(left: -.infinity, top: 0, right: 1, bottom: 1, score: 0.5)
        #expect(all?.box == .unit)
    }

    @Test func whatIsNowhereInTheFrameIsNobody() {
        let edges = [[0.5, 0.1, 0.5, 0.9], [0.6, 0.1, 0.4, 0.9], [1.1, 0, 1.5, 1], [0, -1, 1, -0.1]]
        let numberless = (0..<4).map { place in (0..<4).map { $0 == place ? .nan : [0, 0, 1, 1][$0] } }
        for edges in edges + numberless {
            let nobody = DetectedPerson(
                left: edges[0], top: edges[1], right: edges[2], bottom: edges[3], score: 1)
            #expect(nobody == nil, "\(edges)")
        }
    }

    /// Takes the surest of all who are left, and drops whoever shares more than half with it.
    private func plainlyReduced(_ people: [DetectedPerson], _ most: Int) -> [DetectedPerson] {
        var (left, kept) = (people, [DetectedPerson]())
        while kept.count < most, let surest = left.max(by: { $0.score < $1.score }) {
            kept.append(surest)
            left.removeAll { joint($0.box, surest.box) > 0.5 }
        }
        return kept
    }

    private func joint(_ one: Rectangle, _ other: Rectangle) -> Double {
        let wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
        let high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        guard wide > 0, high > 0 else { return 0 }
        return wide * high / (one.width * one.height + other.width * other.height - wide * high)
    }
}
