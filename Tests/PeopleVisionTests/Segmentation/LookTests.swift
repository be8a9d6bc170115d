import Imaging
import PeopleVision
import TestSupport
import Testing

/// Several mattes of one frame: the middle one, and how far they agree.
struct LookTests {
    @Test(arguments: awkwardSizes) func ofThreeLooksTheMiddleOneCounts(width: Int, height: Int) {
        var images = RandomImages()
        let (middle, mask) = (MiddleLook(), FloatImage())
        let looks = (0..<3).map { _ in images.random(width, height) }
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
        agreement.add(FloatImage(80, 60) { x, _ in x < 40 ? 1 : 0 })
        #expect(agreement.share == 1)
        agreement.add(FloatImage(40, 30) { x, _ in x < 10 ? 1 : 0 })
        #expect(abs(agreement.share - 0.5) < 1e-9)
        agreement.begin(width: 40, height: 30)
        agreement.add(FloatImage(40, 30))
        #expect(agreement.share == 1)
    }
}
