import Imaging
import PeopleVision
import Testing

/// Who stays known from one detection to the next.
struct PersonRosterTests {
    private var roster = PersonRoster()

    private func box(_ x: Double, _ y: Double = 0.2) -> Rectangle {
        Rectangle(x: x, y: y, width: 0.2, height: 0.6)
    }

    /// Shows the roster people of whom the detector is as sure as `score`.
    private mutating func see(_ boxes: Rectangle..., score: Double = 0.8) {
        roster.update(boxes.map { DetectedPerson(box: $0, score: score) })
    }

    private var boxes: [Rectangle] { Array(roster.boxes) }

    @Test mutating func newcomersMustBeSurerThanThoseWhoAreKnown() {
        see(box(0.1), score: 0.39)
        #expect(boxes.isEmpty)
        see(box(0.1), score: 0.4)
        #expect(boxes == [box(0.1)])
        for _ in 0..<5 { see(box(0.1), score: 0.25) }
        #expect(boxes == [box(0.1)])
    }

    @Test mutating func aBoxIsHeldWhileItsPersonStandsStill() {
        see(box(0.4))
        // 0.19 of 0.21, in width: nine tenths.
        for x in [0.41, 0.39, 0.41] { see(box(x)) }
        #expect(boxes == [box(0.4)])
        see(box(0.43))
        #expect(boxes == [box(0.43)])
    }

    @Test mutating func aBoxFollowsWhoeverWalks() {
        see(box(0.1))
        for step in 1...12 { see(box(0.1 + 0.05 * Double(step))) }
        #expect(boxes == [box(0.1 + 0.05 * 12)])
    }

    @Test mutating func aSlowWalkerIsNotLeftBehind() {
        see(box(0.1))
        for step in 1...60 {
            let now = box(0.1 + 0.005 * Double(step))
            see(now)
            #expect(boxes.count == 1 && abs(boxes[0].x - now.x) < 0.02)
        }
    }

    @Test mutating func oneMissedDetectionIsForgivenAndTwoAreNot() {
        for _ in 0..<3 {
            see(box(0.1), box(0.6))
            see(box(0.6))
            #expect(boxes == [box(0.1), box(0.6)])
        }
        see(box(0.6))
        #expect(boxes == [box(0.6)])
        see()
        #expect(boxes == [box(0.6)])
        see()
        #expect(boxes.isEmpty)
    }

    @Test mutating func twoPeopleDoNotSwap() {
        see(box(0.3), box(0.42))
        for (one, other) in [(0.33, 0.46), (0.36, 0.5), (0.33, 0.46)] {
            see(box(other), box(one))
            #expect(boxes == [box(one), box(other)])
        }
    }

    @Test mutating func whoeverIsMissedDoesNotTakeTheBoxOfANeighbour() {
        see(box(0.3), box(0.39))
        see(box(0.39))
        #expect(boxes == [box(0.3), box(0.39)])
        see(box(0.3))
        #expect(boxes == [box(0.3), box(0.39)])
    }

    @Test mutating func anotherSceneHasOtherPeople() {
        see(box(0.1), box(0.6))
        roster.reset()
        #expect(boxes.isEmpty)
        see(box(0.3))
        #expect(boxes == [box(0.3)])
    }
}
