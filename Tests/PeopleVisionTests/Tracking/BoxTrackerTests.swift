import Imaging
import PeopleVision
import Testing

/// Tests of the tracks that remain from one detection to the next.
struct BoxTrackerTests {
    private var tracker = BoxTracker(
        .init(entryScore: 0.4, sameOverlap: 0.3, stillOverlap: 0.85, maximumMisses: 1))

    private func box(_ x: Double, _ y: Double = 0.2) -> Rectangle {
        Rectangle(x: x, y: y, width: 0.2, height: 0.6)
    }

    /// Shows the tracker boxes with a score each.
    private mutating func see(_ boxes: Rectangle..., score: Double = 0.8) {
        tracker.update(boxes.map { BoxDetection(box: $0, score: score) })
    }

    private var boxes: [Rectangle] { tracker.tracks.map(\.box) }

    @Test mutating func newTracksNeedABetterScoreThanKnownOnes() {
        see(box(0.1), score: 0.39)
        #expect(boxes.isEmpty)
        see(box(0.1), score: 0.4)
        #expect(boxes == [box(0.1)])
        for _ in 0..<5 { see(box(0.1), score: 0.25) }
        #expect(boxes == [box(0.1)])
    }

    @Test mutating func aBoxIsKeptWhileItHardlyMoves() {
        see(box(0.4))
        // The boxes share 0.19 of 0.21 in width, nine tenths.
        for x in [0.41, 0.39, 0.41] { see(box(x)) }
        #expect(boxes == [box(0.4)])
        see(box(0.43))
        #expect(boxes == [box(0.43)])
    }

    @Test mutating func aBoxFollowsWhatMoves() {
        see(box(0.1))
        for step in 1...12 { see(box(0.1 + 0.05 * Double(step))) }
        #expect(boxes == [box(0.1 + 0.05 * 12)])
    }

    @Test mutating func slowMotionIsFollowedToo() {
        see(box(0.1))
        for step in 1...60 {
            let now = box(0.1 + 0.005 * Double(step))
            see(now)
            #expect(boxes.count == 1 && abs(boxes[0].x - now.x) < 0.02)
        }
    }

    @Test mutating func aTrackSurvivesOneMissedDetectionButNotTwo() {
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

    @Test mutating func twoBoxesDoNotSwap() {
        see(box(0.3), box(0.42))
        for (one, other) in [(0.33, 0.46), (0.36, 0.5), (0.33, 0.46)] {
            see(box(other), box(one))
            #expect(boxes == [box(one), box(other)])
        }
    }

    @Test mutating func aMissedBoxDoesNotTakeItsNeighbours() {
        see(box(0.3), box(0.39))
        see(box(0.39))
        #expect(boxes == [box(0.3), box(0.39)])
        see(box(0.3))
        #expect(boxes == [box(0.3), box(0.39)])
    }

    @Test mutating func aResetEndsAllTracks() {
        see(box(0.1), box(0.6))
        tracker.reset()
        #expect(boxes.isEmpty)
        see(box(0.3))
        #expect(boxes == [box(0.3)])
    }

    @Test mutating func idsStayWithTheirBoxesAndAreNotUsedAgain() {
        see(box(0.1), box(0.6))
        #expect(tracker.tracks.map(\.id) == [0, 1])
        see(box(0.65), box(0.15))
        #expect(tracker.tracks.map(\.id) == [0, 1])
        for _ in 0..<2 { see(box(0.65)) }
        see(box(0.65), box(0.1))
        #expect(tracker.tracks.map(\.id) == [1, 2])
        tracker.reset()
        see(box(0.65))
        #expect(tracker.tracks.map(\.id) == [3])
    }

    /// Shows the tracker the boxes found in a part of the frame.
    private mutating func see(part: Int, _ boxes: Rectangle..., score: Double = 0.8) {
        tracker.update(boxes.map { BoxDetection(box: $0, score: score) }, part: part)
    }

    @Test mutating func tracksOfAPartEndOnlyWhenThatPartMissesThem() {
        see(box(0.1))
        see(part: 1, box(0.6))
        for _ in 0..<4 {
            see(box(0.1))
            see(part: 0)
        }
        #expect(boxes == [box(0.1), box(0.6)])
        see(part: 1)
        see(part: 1)
        #expect(boxes == [box(0.1)])
    }

    @Test mutating func partsLeaveTracksOfTheWholeFrameUnchanged() {
        see(box(0.1))
        let piece = Rectangle(x: 0.12, y: 0.2, width: 0.1, height: 0.2)
        see(part: 0, box(0.12), piece)
        #expect(boxes == [box(0.1)])
        // The whole frame continues the tracks found in a part.
        see(part: 0, box(0.6))
        see(box(0.1), box(0.63))
        #expect(boxes == [box(0.1), box(0.63)] && tracker.tracks.map(\.id) == [0, 1])
    }

    @Test mutating func aPartContinuesTracksThatTheWholeFrameMisses() {
        see(box(0.1))
        see()
        see(part: 2, box(0.12))
        for _ in 0..<3 { see() }
        #expect(tracker.tracks.map(\.id) == [0])
    }
}
