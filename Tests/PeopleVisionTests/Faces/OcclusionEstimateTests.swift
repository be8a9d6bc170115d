import PeopleVision
import Testing

/// Tests that points with an unusual colour count as hidden, but shadows do not.
@Suite struct OcclusionEstimateTests {
    private func visibleShare(_ colors: [(Float, Float, Float)]) -> Double {
        var estimate = OcclusionEstimate()
        estimate.begin()
        for color in colors { estimate.add(red: color.0, green: color.1, blue: color.2) }
        return estimate.visibleShare()
    }

    private let skin: (Float, Float, Float) = (0.8, 0.6, 0.5)

    @Test func aSingleColourIsFullyVisible() { #expect(visibleShare(Array(repeating: skin, count: 9)) == 1) }

    @Test func shadowsHideNothing() {
        let shadows = (1...9).map { 0.1 * Float($0) }
        #expect(visibleShare(shadows.map { ($0 * skin.0, $0 * skin.1, $0 * skin.2) }) > 0.99)
    }

    @Test func greyInFrontReducesTheVisibleShare() {
        for hidden in 0...4 {
            let colors = (0..<10).map { $0 < hidden ? (Float(0.6), Float(0.6), Float(0.6)) : skin }
            #expect(abs(visibleShare(colors) - (1 - Double(hidden) / 10)) < 0.08)
        }
    }

    @Test func blackOrNoSamplesShowNoSkin() {
        #expect(visibleShare([]) == 0)
        #expect(visibleShare([(0, 0, 0)]) == 0)
    }
}
