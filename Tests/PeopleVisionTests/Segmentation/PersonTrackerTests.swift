import Imaging
import PeopleVision
import TestSupport
import Testing

struct PersonTrackerTests {
    private let nothing = FloatImage(256, 256)

    /// Shows `tracker` the picture in `frames` frames.
    private func show(
        _ tracker: PersonTracker, _ image: TestImage, coverage: FloatImage? = nil, frames: Int = 1
    ) throws {
        for _ in 0..<frames {
            try tracker.update(image.view, orientation: .up, coverage: coverage ?? nothing)
        }
    }

    private func prominent(_ tracker: PersonTracker) -> Int { tracker.people.count { $0.isProminent } }

    @Test func newcomersAreFoundWithinFourFrames() throws {
        let (before, after) = (try Photo.row(of: 3, empty: 1).image, try Photo.row(of: 3, empty: 2).image)
        let tracker = try PersonTracker(.forTests)
        // Also when the last detection was the frame before.
        for frames in 1...4 {
            tracker.reset()
            try show(tracker, before, frames: frames)
            #expect(prominent(tracker) == 1)
            try show(tracker, after, frames: 4)
            #expect(prominent(tracker) == 2)
        }
    }

    @Test func anotherSceneIsSearchedAtOnce() throws {
        let (first, second) = (try Photo.row(of: 3, empty: 1).image, try Photo.row(of: 3).image)
        let tracker = try PersonTracker(.forTests)
        try show(tracker, first)
        tracker.reset()
        try show(tracker, second)
        #expect(prominent(tracker) == 3)
    }

    /// Returns a picture of 1024x512 with the portrait at two sizes side by side, the first standing on the lower
    /// edge, the second so many rows above it.
    private func two(_ tall: Double, _ small: Double, above lift: Int = 0) throws -> TestImage {
        let portrait = try #require(Photo.portrait)
        func half(_ factor: Double, _ lift: Int = 0) -> Photo {
            portrait.placed(
                left: 20, top: Int(512 * (1 - factor)) - lift, width: 512, height: 512, factor: factor)
        }
        return half(tall).beside(half(small, lift)).image
    }

    // Rule: prominence.
    @Test func aPasserByIsNotProminentBesideAPersonWhoFillsTheFrame() throws {
        let tracker = try PersonTracker(.forTests)
        try show(tracker, two(1, 0.5, above: 60))
        #expect(tracker.people.map(\.isProminent) == [true, false])
        #expect(tracker.people.first.map { $0.box.height > 0.9 && $0.box.x < 0.1 } == true)
    }

    @Test func whoeverIsCutOffByTheLowerEdgeIsProminent() throws {
        let tracker = try PersonTracker(.forTests)
        try show(tracker, two(1, 0.5))
        #expect(tracker.people.map(\.isProminent) == [true, true])
    }

    @Test func inAWideShotAllPeopleAreProminent() throws {
        let tracker = try PersonTracker(.forTests)
        try show(tracker, two(0.5, 0.3))
        #expect(tracker.people.map(\.isProminent) == [true, true])
    }

    // Rule: components.
    /// In close-ups the detector finds no person, but the coarse segmentation does.
    @Test func componentsOfTheCoverageStandInForDetections() throws {
        let tracker = try PersonTracker(.forTests)
        let empty = Photo.grey(width: 256, height: 256).image
        let coverage = FloatImage(256, 256) { x, y in
            (64..<128).contains(x) && y >= 128 || (192..<224).contains(x) && y >= 64 ? 0.9 : 0
        }
        coverage.row(10)[10] = 1
        try show(tracker, empty, coverage: coverage)
        #expect(
            tracker.people == [
                TrackedPerson(
                    box: Rectangle(x: 0.75, y: 0.25, width: 0.125, height: 0.75), isDetected: false),
                TrackedPerson(box: Rectangle(x: 0.25, y: 0.5, width: 0.25, height: 0.5), isDetected: false),
            ])
        try show(tracker, empty)
        #expect(tracker.people.isEmpty)
    }

    @Test func aPersonIsFoundInTheFirstFrameAfterAnEmptyOne() throws {
        let tracker = try PersonTracker(.forTests)
        try show(tracker, Photo.grey(width: 256, height: 256).image, frames: 2)
        #expect(tracker.people.isEmpty)
        let coverage = FloatImage(256, 256) { x, y in (20..<180).contains(x) && y > 20 ? 0.9 : 0 }
        // Before the next detection the coverage shows the person, and after it the detector does.
        let person = try Photo.row(of: 1).image
        for _ in 0..<3 {
            try show(tracker, person, coverage: coverage)
            #expect(prominent(tracker) == 1)
        }
    }

    @Test func onlyTheLargestAreSegmented() throws {
        let tracker = try PersonTracker(.forTests)
        let coverage = FloatImage(256, 256) { x, y in x % 16 < 8 && y >= 8 * (x / 16) ? 1 : 0 }
        try show(tracker, Photo.grey(width: 256, height: 256).image, coverage: coverage)
        #expect(tracker.people.map(\.box.height) == (0..<12).map { 1 - Double($0) / 32 })
    }

    @Test func coverageThatIsNoNumberIsNoPerson() throws {
        let tracker = try PersonTracker(.forTests)
        let coverage = FloatImage(256, 256) { _, _ in .nan }
        try show(tracker, Photo.grey(width: 256, height: 256).image, coverage: coverage)
        #expect(tracker.people.isEmpty)
    }

    /// Returns a picture with a large person at the left, and one too small for the detector in the whole
    /// frame.
    private func farAway() throws -> TestImage {
        let portrait = try #require(Photo.portrait)
        let near = portrait.placed(left: 0, top: 200, width: 1600, height: 900, factor: 1.3)
        return near.overlaid(by: portrait, left: 1150, top: 500, factor: 0.21).image
    }

    @Test func smallPeopleAreFoundInQuarters() throws {
        let (tracker, image) = (try PersonTracker(.forTests), try farAway())
        try show(tracker, image)
        #expect(tracker.people.count == 1)
        tracker.reset()
        tracker.searchSchedule = .atOnce
        try show(tracker, image)
        #expect(tracker.people.count == 2)
        #expect(tracker.people.last.map { $0.box.x > 0.7 && $0.box.y > 0.5 } == true)
        // Both people stay although the small one is not found in the whole frame.
        try show(tracker, image, frames: 40)
        #expect(tracker.people.count == 2)
    }

    @Test func inLiveStreamsTheSearchIsSpread() throws {
        let (tracker, image) = (try PersonTracker(.forTests), try farAway())
        tracker.searchSchedule = .spread
        try show(tracker, image)
        #expect(tracker.people.count == 1)
        try show(tracker, image, frames: 36)
        #expect(tracker.people.count == 2)
    }
}
