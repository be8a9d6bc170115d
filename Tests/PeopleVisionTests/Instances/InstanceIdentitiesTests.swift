import Imaging
import PeopleVision
import TestSupport
import Testing

struct InstanceIdentitiesTests {
    typealias Detection = InstanceIdentities.Detection

    /// Returns a person of 0.1 x 0.6 with its middle at `x`, in clothes of one grey or colour.
    private func person(_ x: Double, _ shade: Float? = nil) -> Detection {
        let colors = InstanceColors()
        if let shade {
            let photo = [Float](repeating: shade, count: 3 * 16 * 16)
            photo.withUnsafeBufferPointer { colors.sample($0, in: TensorInput(width: 16, height: 16)) }
            colors.measure(FloatImage(16, 16) { _, _ in 1 }) { _, _ in true }
        }
        return Detection(box: Rectangle(x: x - 0.05, y: 0.3, width: 0.1, height: 0.6), colors: colors)
    }

    /// Returns the ids in frames of 1/25 s.
    private func ids(
        _ frames: [[Detection]], scenes: (Int) -> Int = { _ in 0 },
        from identities: InstanceIdentities = .init()
    ) -> [[Int]] {
        var (identities, found) = (identities, [Int]())
        return frames.enumerated().map { index, people in
            identities.identify(people, after: 0.04, scene: scenes(index), into: &found)
            return found
        }
    }

    private func empty(_ seconds: Double) -> [[Detection]] { .init(repeating: [], count: Int(seconds * 25)) }

    @Test func peopleKeepTheirIdsInAnyOrder() {
        let frames = [[person(0.2), person(0.7)], [person(0.71), person(0.21)], [person(0.22)]]
        #expect(ids(frames) == [[1, 2], [2, 1], [1]])
    }

    @Test func newPeopleGetNewIds() {
        #expect(ids([[person(0.2)], [person(0.2), person(0.8)], [person(0.8)]]) == [[1], [1, 2], [2]])
    }

    /// Two people walk through the same place, and the detector sees only one of them for half a second.
    @Test func crossingPeopleKeepTheirIds() {
        let frames: [[Detection]] = (0...50).map { time in
            let x = Double(time) / 50
            let one = person(0.2 + 0.6 * x, 0.1)
            let other = person(0.8 - 0.6 * x, 0.9)
            return abs(x - 0.5) < 0.12 ? [one] : time % 2 == 0 ? [one, other] : [other, one]
        }
        let found = ids(frames)
        for (time, ids) in found.enumerated() where ids.count == 2 {
            #expect(ids == (time % 2 == 0 ? [1, 2] : [2, 1]), "\(time)")
        }
    }

    @Test(arguments: [(0.5, true), (2, true), (4.8, true), (5.2, false)])
    func idsAreRememberedForFiveSeconds(seconds: Double, isSame: Bool) {
        let found = ids([[person(0.4, 0.2)]] + empty(seconds) + [[person(0.45, 0.2)]])
        #expect(found.last == [isSame ? 1 : 2])
    }

    @Test func aPersonKeepsTheirIdWhenAnotherReturns() {
        let both = [person(0.4, 0.2), person(0.44, 0.9)]
        let found = ids([both, [both[1]], [both[1]], [person(0.42, 0.2), both[1]]])
        #expect(found == [[1, 2], [2], [2], [1, 2]])
    }

    @Test func afterACutOnlyClothesIdentifyPeople() {
        let frames = [[person(0.4, 0.2)], [person(0.4, 0.9)], [person(0.9, 0.2)]]
        #expect(ids(frames, scenes: { $0 }) == [[1], [2], [1]])
    }

    @Test func noIdIsUsedTwice() {
        var (identities, found) = (InstanceIdentities(), [Int]())
        identities.identify([person(0.4)], after: 0.04, scene: 0, into: &found)
        identities.reset()
        identities.identify([person(0.4)], after: 0.04, scene: 0, into: &found)
        #expect(found == [2])
    }

    @Test func toleratesUndefinedTimesAndBoxes() {
        var (identities, found) = (InstanceIdentities(), [Int]())
        for seconds in [0, -1, Double.greatestFiniteMagnitude, .infinity, .nan, 0.04] {
            identities.identify([person(0.4), person(.nan)], after: seconds, scene: 0, into: &found)
            #expect(Set(found).count == 2)
        }
    }
}
