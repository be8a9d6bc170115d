import Imaging
import PeopleVision
import TestSupport
import Testing

/// Who is known to be in each frame of a stream.
struct CrowdTests {
    @Test func newcomersAreFoundWithinFourFrames() throws {
        let (before, after) = (try Picture.row(of: 3, empty: 1), try Picture.row(of: 3, empty: 2))
        let watch = try Watch(before)
        func known() -> Int { watch.crowd.people.count { $0.stature > 0.5 } }
        // Also when the last detection was the frame before.
        for frames in 1...4 {
            watch.crowd.reset()
            let (first, second) = (before.image, after.image)
            for _ in 0..<frames { try watch.look(at: first.view) }
            #expect(known() == 1)
            for _ in 0..<4 { try watch.look(at: second.view) }
            #expect(known() == 2)
        }
    }

    @Test func someoneIsSeenInTheFirstFrameAfterAnEmptyOne() throws {
        let empty = Picture.grey(width: 256, height: 256)
        let watch = try Watch(empty)
        let (nobody, somebody) = (empty.image, try Picture.row(of: 1).image)
        for _ in 0..<2 { try watch.look(at: nobody.view) }
        #expect(watch.crowd.people.isEmpty)
        #expect(watch.crowd.extent(stature: 0) == nil)
        for _ in 0..<3 {
            try watch.look(at: somebody.view)
            #expect(watch.crowd.people.map(\.stature) == [1])
        }
    }

    @Test func anotherSceneIsLookedAtAtOnce() throws {
        let before = try Picture.row(of: 3, empty: 1)
        let (watch, first, second) = (try Watch(before), before.image, try Picture.row(of: 3).image)
        try watch.look(at: first.view)
        watch.crowd.reset()
        try watch.look(at: second.view)
        #expect(watch.crowd.people.count { $0.stature > 0.9 } == 3)
    }

    @Test func smallPeopleAreInTheBackground() throws {
        let tall = try #require(Picture.portrait)
        let small = tall.placed(left: 0, top: 200, width: 512, height: 512, factor: 0.5)
        let picture = tall.beside(small)
        let (watch, image) = (try Watch(picture), picture.image)
        try watch.look(at: image.view)
        let people = watch.crowd.people
        #expect(people.count == 2)
        #expect(people.first?.stature == 1)
        #expect(try abs(#require(people.last).stature - 0.5) < 0.05)
        let (all, foreground) = (watch.crowd.extent(stature: 0), watch.crowd.extent(stature: 0.7))
        #expect(foreground?.box == people.first?.box)
        #expect(foreground?.isGroup == false && all?.isGroup == true)
        #expect(try #require(all).box.width > #require(foreground).box.width)
    }
}
