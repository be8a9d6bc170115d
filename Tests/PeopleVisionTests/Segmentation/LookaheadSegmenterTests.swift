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

    /// Returns a picture with structure everywhere, moved to the left by `shift` pixels.
    ///
    /// - Parameter grain: side of its areas of one value, in pixels.
    private func picture(shift: Int = 0, grain: Int = 1) -> TestImage {
        var bytes: [UInt8] = []
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                let (column, row) = ((x + shift + Self.side) / grain, y / grain)
                let value = UInt8(truncatingIfNeeded: column * 37 % 101 + row * 53 % 97)
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

    // MARK: - Late masks

    /// Returns one frame a day, so that there is time to move masks, however busy the machine is.
    private func daily(_ number: Int, _ picture: TestImage) -> InputFrame {
        InputFrame(picture.view, time: .seconds(86_400 * number))
    }

    /// A segmenter with masks of a lower level, whose mask of one frame is ready when two more frames have come.
    private final class LateScript: Segmenter {
        private let (fallback, late): (FloatImage, FloatImage)
        private let (number, cut): (Int, Int?)
        private var times: [UInt64] = []

        init(_ fallback: FloatImage, late: FloatImage, ofFrame number: Int, cut: Int? = nil) {
            (self.fallback, self.late, self.number, self.cut) = (fallback, late, number, cut)
        }

        func segment(
            _ frame: InputFrame, smoothing: Float, withPeople: Bool
        ) throws(VisionError) -> Segmentation {
            times.append(frame.nanoseconds ?? 0)
            let count = times.count
            return Segmentation(
                mask: fallback, followsLast: count > 1 && count - 1 != cut, time: frame.nanoseconds,
                isFallback: true)
        }

        var lateMask: LateMask? {
            times.count == number + 3 ? LateMask(mask: late, time: times[number]) : nil
        }

        func preparePeople(_ search: PersonSearch.Schedule?) {}
        func reset() { times.removeAll() }
    }

    /// The mask of a frame of a live stream.
    private struct Found: Equatable {
        /// The coverage at a place that only the late mask covers.
        let blob: Float
        /// The number of the frame whose mask it is, by its time.
        let origin: UInt64?
        let isFallback: Bool

        static func late(of frame: UInt64) -> Found { Found(blob: 1, origin: frame, isFallback: false) }
        static func fallback(_ frame: UInt64) -> Found { Found(blob: 0, origin: frame, isFallback: true) }
    }

    /// Returns what each of six frames gets, if each waits for `ahead` others.
    private func found(_ script: LateScript, ahead: Int, pictures: [TestImage]) throws -> [Found] {
        let segmenter = LookaheadSegmenter(script)
        var found: [Found] = []
        for number in 0..<(pictures.count + ahead) {
            if number < pictures.count {
                try segmenter.lookAhead(to: daily(number, pictures[number]), smoothing: 0)
            }
            guard number >= ahead else { continue }
            let due = daily(number - ahead, pictures[number - ahead])
            let result = try segmenter.segment(due, smoothing: 0, withPeople: false)
            found.append(
                Found(
                    blob: result.mask[75, 50], origin: result.time.map { $0 / 86_400_000_000_000 },
                    isFallback: result.isFallback))
        }
        return found
    }

    private var stillPictures: [TestImage] {
        let still = picture()
        return (0..<6).map { _ in still }
    }

    /// Frames that have left before the mask was ready, and frames farther away than two, keep theirs.
    @Test func aLateMaskGoesToItsFrameAndThoseAroundIt() throws {
        let script = LateScript(mask(), late: mask(blob: true), ofFrame: 2)
        #expect(
            try found(script, ahead: 3, pictures: stillPictures) == [
                .fallback(0), .late(of: 2), .late(of: 2), .late(of: 2), .late(of: 2), .fallback(5),
            ])
    }

    /// With a lookahead of one frame the mask's frame has left, and the next ones still get the mask.
    @Test func aLateMaskOfAFrameThatHasLeftMovesToThoseThatWait() throws {
        let script = LateScript(mask(), late: mask(blob: true), ofFrame: 2)
        #expect(
            try found(script, ahead: 1, pictures: stillPictures) == [
                .fallback(0), .fallback(1), .fallback(2), .late(of: 2), .late(of: 2), .fallback(5),
            ])
    }

    /// A mask stays with its own frame if frames come faster than they are analysed.
    @Test func masksDoNotMoveWithoutTime() throws {
        let segmenter = LookaheadSegmenter(LateScript(mask(), late: mask(blob: true), ofFrame: 2))
        let pictures = stillPictures
        let frames = pictures.indices.map { InputFrame(pictures[$0].view, time: .nanoseconds($0)) }
        for frame in frames { try segmenter.lookAhead(to: frame, smoothing: 0) }
        let blobs = try frames.dropLast().map { try segmenter.mask($0)[75, 50] }
        #expect(blobs == [0, 0, 1, 0, 0])
    }

    @Test func aLateMaskDoesNotCrossACut() throws {
        let script = LateScript(mask(), late: mask(blob: true), ofFrame: 2, cut: 3)
        let found = try found(script, ahead: 3, pictures: stillPictures)
        #expect(found[1...3] == [.late(of: 2), .late(of: 2), .fallback(3)])
    }

    @Test func aFrameThatLooksDifferentKeepsItsMask() throws {
        let script = LateScript(mask(), late: mask(blob: true), ofFrame: 2)
        let white = Photo(
            width: Self.side, height: Self.side,
            bytes: [UInt8](repeating: 255, count: 3 * Self.side * Self.side)
        ).image
        let pictures = (0..<6).map { $0 == 3 ? white : picture() }
        #expect(try found(script, ahead: 3, pictures: pictures)[2...3] == [.late(of: 2), .fallback(3)])
    }

    /// The mask moves with what it covers.
    @Test func aLateMaskMovesAlong() throws {
        let script = LateScript(mask(), late: mask(), ofFrame: 2)
        let segmenter = LookaheadSegmenter(script)
        let pictures = (0..<6).map { picture(shift: 2 - $0, grain: 6) }
        for number in 0...5 { try segmenter.lookAhead(to: daily(number, pictures[number]), smoothing: 0) }
        for number in 0...3 {
            let result = try segmenter.segment(
                daily(number, pictures[number]), smoothing: 0, withPeople: false)
            guard number > 0 else { continue }
            // The person's left edge is at column 20 of frame 2, and moves by a pixel a frame.
            let edge = (0..<40).first { result.mask[$0, 60] > 0.5 }
            #expect(edge == 18 + number, "frame \(number)")
        }
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
