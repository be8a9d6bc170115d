import Imaging
import PeopleVision
import TestSupport
import Testing

struct SeamRefinementTests {
    /// Two parts side by side, whose seam is one value left of an edge of the image.
    private let numbers = FloatImage(200, 100) { x, y in y < 10 ? -1 : x < 99 ? 0 : 1 }

    private func refined(_ count: Int, brightness: (Double) -> Float) -> FloatImage {
        let images = [200, 400].map { width in
            FloatImage(width, width / 2) { x, _ in brightness((Double(x) + 0.5) / Double(width)) }
        }
        let result = FloatImage()
        result.copy(numbers)
        SeamRefinement(coarse: images[0], fine: images[1]).refine(result, count: count)
        return result
    }

    @Test func aSeamMovesToTheEdgeOfTheImageNearIt() {
        let result = refined(2) { $0 < 0.5 ? 0.2 : 0.7 }
        #expect(result.width == 400 && result.height == 200)
        for y in [40, 100, 199] {
            let seam = (0..<400).first { result[$0, y] == 1 }
            #expect(seam == 200, "row \(y)")
            #expect((200..<400).allSatisfy { result[$0, y] == 1 })
        }
        #expect(result[100, 5] == -1)
    }

    @Test func aSeamStaysWhereTheImageIsFlat() {
        let result = refined(2) { _ in 0.4 }
        let seam = (0..<400).first { result[$0, 100] == 1 } ?? 0
        #expect((197...199).contains(seam))
    }

    @Test func onePartIsLeftAsItIs() {
        #expect(refined(1) { $0 < 0.5 ? 0 : 1 }.array == numbers.array)
    }
}
