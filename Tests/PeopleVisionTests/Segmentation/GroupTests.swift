import Imaging
import PeopleVision
import TestSupport
import Testing

/// Groups: who counts as one person, when looks agree, and the mask of several people.
struct GroupTests {
    private func body(_ x: Double, _ y: Double, radius: Double = 100, score: Double) -> Body {
        Body(
            hips: Point(x: x, y: y), radius: radius, angle: 0, shoulders: Point(x: x, y: y - radius / 2),
            upperRadius: radius / 2, score: score)
    }

    @Test func onePersonSeenTwiceIsOne() {
        var bodies = [
            body(100, 200, score: 0.6), body(300, 200, score: 0.7), body(110, 205, score: 0.9),
            body(500, 200, score: 0.5),
        ]
        bodies.reduceToOneEach(most: 8)
        #expect(bodies.map(\.score) == [0.9, 0.7, 0.5])
        bodies.reduceToOneEach(most: 2)
        #expect(bodies.map(\.score) == [0.9, 0.7])
        bodies = []
        bodies.reduceToOneEach(most: 2)
        #expect(bodies.isEmpty)
    }

    @Test(arguments: awkwardSizes) func ofThreeLooksTheMiddleOneCounts(width: Int, height: Int) {
        var grids = Grids()
        let (middle, mask) = (MiddleLook(), MaskGrid())
        let looks = (0..<3).map { _ in grids.random(width, height) }
        for _ in 0..<2 {
            middle.begin()
            for look in looks { middle.add(look, to: mask) }
            for i in 0..<mask.count { #expect(mask.base[i] == looks.map { $0.base[i] }.sorted()[1]) }
        }
        middle.begin()
        middle.add(looks[2], to: mask)
        #expect(mask.array == looks[2].array)
    }

    @Test func agreementIsWhatAllHoldOfWhatAnyHolds() {
        let agreement = LookAgreement()
        agreement.begin(width: 40, height: 30)
        #expect(agreement.share == 1)
        agreement.add(MaskGrid(80, 60) { x, _ in x < 40 ? 1 : 0 })
        #expect(agreement.share == 1)
        agreement.add(MaskGrid(40, 30) { x, _ in x < 10 ? 1 : 0 })
        #expect(abs(agreement.share - 0.5) < 1e-9)
        agreement.begin(width: 40, height: 30)
        agreement.add(MaskGrid(40, 30))
        #expect(agreement.share == 1)
    }

    /// So many portraits side by side, those from `empty` on replaced by grey.
    private func row(of count: Int, empty: Int = .max) throws -> Frame {
        let caps = "video/x-raw,format=RGB,height=256,width="
        let portrait = try Frame.picture(Checkout.astronaut.path, "\(caps)256")
        let frame = try Frame("\(caps)\(256 * count)")
        for channel in 0..<3 {
            let samples = portrait.samples(channel)
            frame.fill(channel) { x, y in x / 256 < empty ? samples[y][x % 256] : 128 }
        }
        return frame
    }

    /// What becomes of a mask that is `value` all over, when the small model sees people in the upper half.
    private func corrected(_ value: Float, _ frame: Frame, _ count: Int) throws -> (Bool, MaskGrid) {
        let groups = GroupMatter(
            frame: Size(width: Double(256 * count), height: 256), models: Checkout.models.path)
        let mask = MaskGrid(256 * count, 256) { _, _ in value }
        let people = MaskGrid(64 * count, 64) { _, y in y < 32 ? 1 : 0 }
        let isGroup = try frame.withImage {
            try groups.correct(mask, people: people, $0, orientation: .up)
        }
        return (isGroup, mask)
    }

    @Test(arguments: [Float(0), 1]) func aGroupIsCorrectedPersonByPerson(wrong: Float) throws {
        let (isGroup, mask) = try corrected(wrong, row(of: 3), 3)
        #expect(isGroup)
        for person in 0..<3 {
            // Each one's face and chest, and the lab above the right shoulder.
            #expect(mask[person * 256 + 110, 60] > 0.5, "face \(person)")
            #expect(mask[person * 256 + 110, 180] > 0.5, "chest \(person)")
            #expect(mask[person * 256 + 200, 40] < 0.5, "lab \(person)")
        }
    }

    @Test(arguments: [Float(0), 1]) func whereNobodyWasFoundTheSmallModelMustConfirm(value: Float) throws {
        let (isGroup, mask) = try corrected(value, row(of: 4, empty: 2), 4)
        #expect(isGroup)
        for x in 700..<1024 {
            for y in 0..<120 { #expect(mask[x, y] == value, "\(x), \(y)") }
            for y in 136..<256 { #expect(mask[x, y] == 0, "\(x), \(y)") }
        }
    }

    @Test func aPictureWithoutPeopleIsLeftAsItIs() throws {
        let empty = try Frame("video/x-raw,format=RGB,width=256,height=256")
        for channel in 0..<3 { empty.fill(channel) { x, y in UInt8((x * 3 + y * channel) % 256) } }
        let (isGroup, mask) = try corrected(0.25, empty, 1)
        #expect(!isGroup)
        #expect(mask.array.allSatisfy { $0 == 0.25 })
    }
}
