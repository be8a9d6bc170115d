import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of masks that are corrected by those of the frames before and after.
struct LookaheadSegmenterTests {
    private static let side = 96

    /// A segmenter that returns given masks in their order.
    private final class Script: Segmenter {
        private var masks: [FloatImage]
        private let cut: Int?
        private var count = 0

        init(_ masks: [FloatImage], cut: Int? = nil) { (self.masks, self.cut) = (masks, cut) }

        func segment(
            _ frame: InputFrame, smoothing: Float, withPeople: Bool
        ) throws(VisionError) -> Segmentation {
            let followsLast = count > 0 && count != cut
            count += 1
            return Segmentation(
                mask: masks[count - 1],
                people: withPeople ? SegmentedPeople(people: [], count: count, scene: 0) : nil,
                followsLast: followsLast, time: frame.nanoseconds)
        }

        func preparePeople(_ search: PersonSearch.Schedule?) {}
        func reset() {}
    }

    /// Returns a mask with a person on the left and, with `blob`, something on the right.
    private func mask(blob: Bool = false) -> FloatImage {
        let mask = FloatImage()
        mask.resize(width: Self.side, height: Self.side)
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                let isPerson = (20..<50).contains(x) && y > 30
                let isBlob = blob && (70..<80).contains(x) && (40..<60).contains(y)
                mask.row(y)[x] = isPerson || isBlob ? 1 : 0
            }
        }
        return mask
    }

    /// Returns a picture with structure everywhere.
    private func picture(shift: Int = 0) -> TestImage {
        var bytes: [UInt8] = []
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                let value = UInt8(truncatingIfNeeded: (x + shift) * 37 % 101 + y * 53 % 97)
                bytes += [value, value, value]
            }
        }
        return Photo(width: Self.side, height: Self.side, bytes: bytes).image
    }

    private func frame(_ number: Int, _ picture: TestImage) -> InputFrame {
        InputFrame(picture.view, time: .milliseconds(40 * number))
    }

    /// Returns the coverage at a place on the right of each frame's mask.
    private func blobs(_ script: Script, pictures: [TestImage], ahead: Int) throws -> [Float] {
        let segmenter = LookaheadSegmenter(script)
        var found: [Float] = []
        for number in pictures.indices {
            let first = number == 0 ? 0 : number + ahead
            if ahead > 0, first < pictures.count {
                for next in first...min(number + ahead, pictures.count - 1) {
                    try segmenter.lookAhead(to: frame(next, pictures[next]), smoothing: 0)
                }
            }
            let mask = try segmenter.mask(frame(number, pictures[number]))
            #expect(mask[35, 60] == 1 && mask[5, 5] == 0)
            found.append(mask[75, 50])
        }
        return found
    }

    @Test(arguments: 1...2)
    func removesAreasSeenInASingleFrame(ahead: Int) throws {
        let still = picture()
        let masks = (0..<5).map { mask(blob: $0 == 2) }
        let pictures = masks.map { _ in still }
        #expect(try blobs(Script(masks), pictures: pictures, ahead: 0) == [0, 0, 1, 0, 0])
        #expect(try blobs(Script(masks), pictures: pictures, ahead: ahead) == [0, 0, 0, 0, 0])
    }

    @Test func keepsAreasSeenInAllFrames() throws {
        let masks = (0..<5).map { _ in mask(blob: true) }
        let still = picture()
        #expect(try blobs(Script(masks), pictures: masks.map { _ in still }, ahead: 1) == [1, 1, 1, 1, 1])
    }

    @Test func aCutIsNotCrossed() throws {
        let masks = (0..<5).map { mask(blob: $0 == 2) }
        let still = picture()
        let found = try blobs(Script(masks, cut: 2), pictures: masks.map { _ in still }, ahead: 1)
        #expect(found == [0, 0, 1, 0, 0])
    }

    /// A frame that looks different keeps its own mask.
    @Test func ignoresFramesThatLookDifferent() throws {
        let masks = (0..<5).map { mask(blob: $0 == 2) }
        let white = Photo(
            width: Self.side, height: Self.side,
            bytes: [UInt8](repeating: 255, count: 3 * Self.side * Self.side)
        ).image
        let pictures = (0..<5).map { $0 == 2 ? white : picture() }
        #expect(try blobs(Script(masks), pictures: pictures, ahead: 1)[2] == 1)
    }

    /// This happens after a change of the level, when another segmenter looked ahead to the frame before.
    @Test func framesThatWereNotLookedAheadToGetTheirOwnMask() throws {
        let still = picture()
        let segmenter = LookaheadSegmenter(Script([mask(), mask(blob: true), mask()]))
        try segmenter.lookAhead(to: frame(1, still), smoothing: 0)
        #expect(try segmenter.mask(frame(0, still))[75, 50] == 1)
        #expect(try segmenter.mask(frame(1, still))[75, 50] == 0)
    }

    /// A frame that was looked ahead to before each person's coverage was wanted is analysed again.
    @Test func peopleAreThoseOfTheFrameItself() throws {
        let still = picture()
        let segmenter = LookaheadSegmenter(Script((0..<4).map { _ in mask() }))
        for number in 0...1 { try segmenter.lookAhead(to: frame(number, still), smoothing: 0) }
        #expect(try segmenter.people(frame(0, still)) == 3)
        try segmenter.preparePeople(nil)
        try segmenter.lookAhead(to: frame(2, still), smoothing: 0)
        #expect(try segmenter.people(frame(2, still)) == 4)
    }
}

extension LookaheadSegmenter {
    /// Returns the mask of `frame`, without smoothing.
    fileprivate func mask(_ frame: InputFrame) throws -> FloatImage {
        try segment(frame, smoothing: 0, withPeople: false).mask
    }

    /// Returns the number of people in `frame`; nil where they are not in the result.
    fileprivate func people(_ frame: InputFrame) throws -> Int? {
        try segment(frame, smoothing: 0, withPeople: true).people?.count
    }
}
