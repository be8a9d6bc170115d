import Imaging
import PeopleVision
import Testing

@Suite struct MaskPropagationTests {
    private let image = Self.image(1)
    private let mask = Self.image(8)
    private let matcher = BlockMatcher()

    /// Returns a pattern with edges everywhere.
    private static func image(_ period: Int) -> FloatImage {
        let image = FloatImage()
        image.resize(width: 64, height: 64)
        for i in 0..<image.count { image.base[i] = (i / period + i / 64 / period) % 2 == 0 ? 0 : 1 }
        return image
    }

    /// Returns whether each of `count` equal frames takes its mask from the one before.
    private func decisions(_ propagation: MaskPropagation, _ count: Int, people: Int = 1) -> [Bool] {
        (0..<count).map { _ in
            let follows = follows(propagation, to: image, people: people)
            if !follows { compute(propagation) }
            return follows
        }
    }

    private func follows(_ propagation: MaskPropagation, to image: FloatImage, people: Int = 1) -> Bool {
        matcher.follow(mask, to: image)
        return propagation.follows(people: people)
    }

    private func compute(_ propagation: MaskPropagation) {
        propagation.begin()
        propagation.finish(mask)
    }

    // Rule: propagation.
    @Test(arguments: [QualityProfile.balanced, .accurate])
    func propagatesEverySecondMaskOnceTheSceneIsSettled(profile: QualityProfile) {
        let propagation = MaskPropagation(profile.propagation, matcher)
        let first = [Bool](repeating: false, count: 8)
        #expect(decisions(propagation, 12) == first + [true, false, true, false])
        propagation.reset()
        #expect(decisions(propagation, 10) == first + [true, false])
    }

    @Test func aNewPersonNeedsANewMask() {
        let propagation = MaskPropagation(QualityProfile.balanced.propagation, matcher)
        _ = decisions(propagation, 8)
        #expect(decisions(propagation, 3, people: 2) == [false, true, false])
    }

    @Test func fastMotionNeedsANewMask() {
        let propagation = MaskPropagation(QualityProfile.balanced.propagation, matcher)
        _ = decisions(propagation, 8)
        let other = FloatImage()
        other.resize(width: 64, height: 64)
        #expect(!follows(propagation, to: other))
    }

    /// No frame follows a mask that could not be made.
    @Test func doesNotPropagateAfterAFailure() {
        let propagation = MaskPropagation(QualityProfile.balanced.propagation, matcher)
        _ = decisions(propagation, 9)
        #expect(!follows(propagation, to: image))
        #expect(!follows(propagation, to: image))
    }

    @Test func fastMakesEveryMask() {
        #expect(decisions(MaskPropagation(QualityProfile.fast.propagation, matcher), 12).allSatisfy { !$0 })
    }
}
