import Composer
import Imaging
import PeopleSettings
import PeopleVision
import TestSupport
import Testing

/// The outcomes of frames, and the promise that none shows by accident what is to be hidden.
struct FrameComposerTests {
    /// Masks of two people, one on each half of the frame.
    private struct Halves: SelectableMasks {
        struct Person: SelectablePerson {
            let id: Int?
            let label: Int
        }

        let size: (width: Int, height: Int)
        var isMatte: Bool { false }
        var isReadable = true
        var separates = true

        var instances: [Person]? { separates ? [Person(id: 1, label: 1), Person(id: 2, label: 2)] : nil }

        func withMask<Result>(_ body: (MaskView) -> Result) -> Result? { lend(body) { _ in true } }

        func withMask<Result>(of person: Person, _ body: (MaskView) -> Result) -> Result? {
            lend(body) { ($0 < size.width / 2) == (person.label == 1) }
        }

        func label(at point: Point) -> Int? { separates ? (point.x < 0.5 ? 1 : 2) : nil }

        private func lend<Result>(_ body: (MaskView) -> Result, _ isPerson: (Int) -> Bool) -> Result? {
            guard isReadable else { return nil }
            let mask = TestMask(.gray8, size.width, size.height)
            mask.fill { x, y in y > 0 && isPerson(x) ? 1 : 0 }
            return body(mask.view)
        }
    }

    private static let size = (width: 64, height: 32)
    private let image: TestImage
    private let before: [UInt8]
    private let composer = FrameComposer()
    /// The colour that covers frames: blue is 200, the rest 0.
    private var settings = BlendSettings()

    init() {
        image = TestImage(.rgb, Self.size.width, Self.size.height)
        image.fillRandomly(seed: 7)
        before = image.bytes
        settings.color = 0xff00_00c8
    }

    private func compose(_ masks: Halves?, _ change: (inout BlendSettings) -> Void = { _ in }) -> String {
        var settings = settings
        change(&settings)
        let malformed = composer.update(settings)
        let background = composer.background(nil, in: .rgb)
        let outcome = composer.compose(image.mutableView, masks, over: background)
        return malformed.isEmpty ? "\(outcome)" : "malformed"
    }

    /// Number of pixels that are as they were.
    private var unchanged: Int {
        let now = image.bytes
        return (0..<now.count / 3).count { now[$0 * 3..<$0 * 3 + 3] == before[$0 * 3..<$0 * 3 + 3] }
    }

    private var isCovered: Bool {
        let now = image.bytes
        return (0..<now.count / 3).allSatisfy { Array(now[$0 * 3..<$0 * 3 + 3]) == [0, 0, 200] }
    }

    private let both = Halves(size: Self.size)
    private static let pixels = size.width * size.height

    @Test func showsThePeople() {
        #expect(compose(both) == "shown")
        // The first row is background.
        #expect(unchanged >= Self.pixels - Self.size.width && !isCovered)
        #expect(Array(image.bytes.prefix(3)) == [0, 0, 200])
    }

    @Test func showsTheChosenPeople() {
        #expect(compose(both) { $0.instances = "2" } == "shown")
        #expect(
            unchanged <= Self.pixels / 2 && composer.hidesPeople && composer.shows(2) && !composer.shows(1))
        #expect(compose(both) { $0.instances = "3" } == "shown")
        #expect(composer.isLost && isCovered)
    }

    /// A frame without usable masks is covered, also where the frame's own background would be seen.
    @Test(arguments: [
        BackgroundChoice.auto, .original, .color, .picture, .clip, .pose, .transparent,
    ])
    func coversWithoutAMask(_ source: BackgroundChoice) {
        #expect(compose(nil) { $0.source = source } == "covered(Composer.FrameComposer.Fault.noMask)")
        #expect(isCovered)
    }

    @Test func coversWithoutTheMasksOfPeople() {
        var single = both
        single.separates = false
        let outcome = compose(single) { ($0.instances, $0.source) = ("1", .original) }
        #expect(outcome == "covered(Composer.FrameComposer.Fault.noInstances)" && isCovered)
    }

    /// People who are to be replaced and are not there could be anywhere.
    @Test func coversWherePeopleToBeHiddenAreLost() {
        let outcome = compose(both) { ($0.instances, $0.inverts) = ("3", true) }
        #expect(outcome == "covered(Composer.FrameComposer.Fault.lost)" && isCovered)
    }

    @Test(arguments: [HeadsChoice.keep, .cover])
    func coversWithAMalformedMask(_ heads: HeadsChoice) {
        var broken = both
        broken.isReadable = false
        #expect(compose(broken) { $0.heads = heads } == "covered(Composer.FrameComposer.Fault.malformed)")
        #expect(isCovered)
    }

    /// A picture of another size cannot be composed, and leaves nothing to be seen.
    @Test func coversWhatCannotBeComposed() {
        let other = TestImage(.rgb, 16, 16)
        var settings = settings
        settings.source = .picture
        settings.background = "a.png"
        _ = composer.update(settings)
        let picture = BackgroundSource.picture(other.view, revision: nil)
        let outcome = composer.compose(
            image.mutableView, both, over: composer.background(picture, in: .rgb))
        guard case .failed = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(image.bytes.allSatisfy { $0 == 0 })
    }

    /// Without a face or a body, everything of a person is hidden whose head is to be.
    @Test func hidesEverythingWithoutHeads() {
        let outcome = compose(both) { ($0.heads, $0.source) = (.cover, .original) }
        #expect(outcome == "headsHidden")
        #expect(unchanged <= Self.size.width)
    }

    @Test func passesOnlyIfAsked() {
        #expect(compose(nil) { $0.noMask = .pass } == "kept(Composer.FrameComposer.Fault.noMask)")
        #expect(unchanged == Self.pixels)
        #expect(compose(nil) { $0.noMask = .error } == "refused(Composer.FrameComposer.Fault.noMask)")
        #expect(unchanged == Self.pixels)
    }

    /// `no-mask=pass` does nothing where the room or heads are to be hidden.
    @Test(arguments: [true, false]) func promisesComeFirst(_ hidesRoom: Bool) {
        let outcome = compose(nil) {
            $0.noMask = .pass
            if hidesRoom { $0.hidesRoom = true } else { $0.heads = .blur }
        }
        #expect(outcome == "covered(Composer.FrameComposer.Fault.noMask)" && isCovered)
    }

    /// The picture of a mask that is not there is black.
    @Test func showsNoMaskInBlack() {
        #expect(compose(nil) { $0.shown = .mask } == "covered(Composer.FrameComposer.Fault.noMask)")
        #expect(image.bytes.allSatisfy { $0 == 0 })
    }

    @Test func saysOnceWhichPropertyIsMalformed() {
        #expect(compose(both) { $0.instances = "0" } == "malformed")
        #expect(compose(both) { $0.instances = "0" } == "shown")
    }
}
