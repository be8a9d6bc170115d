import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests that each thing keeps one box, compared with plain definitions.
struct NonMaximumSuppressionTests {
    private func overlap(_ a: Rectangle, _ b: Rectangle) -> Double {
        let width = max(0, min(a.x + a.width, b.x + b.width) - max(a.x, b.x))
        let height = max(0, min(a.y + a.height, b.y + b.height) - max(a.y, b.y))
        return width * height / (a.width * a.height + b.width * b.height - width * height)
    }
}

// MARK: - Keeping the best

extension NonMaximumSuppressionTests {
    private func box(_ x: Double, score: Double) -> BoxDetection {
        BoxDetection(box: Rectangle(x: x, y: 0.1, width: 0.2, height: 0.8), score: score)
    }

    @Test func theBestOfOverlappingBoxesStays() {
        var boxes = [
            box(0.1, score: 0.6), box(0.4, score: 0.7), box(0.12, score: 0.9),
            box(0.7, score: 0.5),
        ]
        NonMaximumSuppression.keepBest(&boxes, overlap: 0.5, maximumCount: 8)
        #expect(boxes.map(\.score) == [0.9, 0.7, 0.5])
        NonMaximumSuppression.keepBest(&boxes, overlap: 0.5, maximumCount: 2)
        #expect(boxes.map(\.score) == [0.9, 0.7])
        boxes = []
        NonMaximumSuppression.keepBest(&boxes, overlap: 0.5, maximumCount: 2)
        #expect(boxes.isEmpty)
    }

    @Test func keepsBoxesThatOverlapLittle() {
        // The boxes share 0.12 of 0.28 in width, less than a half.
        var boxes = [box(0.1, score: 0.6), box(0.18, score: 0.7)]
        NonMaximumSuppression.keepBest(&boxes, overlap: 0.5, maximumCount: 8)
        #expect(boxes.map(\.score) == [0.7, 0.6])
    }

    @Test(arguments: [0, 1, 5, 16]) func keepingTheBestEqualsThePlainDefinition(maximumCount: Int) {
        var generator = SeededGenerator(seed: 3)
        for count in [0, 1, 2, 30, 100] {
            var boxes = (0..<count).map { _ in
                BoxDetection(
                    box: Rectangle(
                        x: generator.number(0...0.6), y: generator.number(0...0.4),
                        width: generator.number(0.1...0.4), height: generator.number(0.3...0.6)),
                    score: generator.number(0...1))
            }
            let expected = plainlyReduced(boxes, maximumCount)
            NonMaximumSuppression.keepBest(&boxes, overlap: 0.5, maximumCount: maximumCount)
            #expect(boxes.map(\.score) == expected.map(\.score), "\(count)")
            #expect(boxes.map(\.box) == expected.map(\.box), "\(count)")
        }
    }

    /// Returns the best boxes, without those that overlap a better one by more than half.
    private func plainlyReduced(_ boxes: [BoxDetection], _ maximumCount: Int) -> [BoxDetection] {
        var (left, kept) = (boxes, [BoxDetection]())
        while kept.count < maximumCount, let best = left.max(by: { $0.score < $1.score }) {
            kept.append(best)
            left.removeAll { overlap($0.box, best.box) > 0.5 }
        }
        return kept
    }
}

// MARK: - Blending

extension NonMaximumSuppressionTests {
    private func candidate(_ x: Double, _ y: Double, _ side: Double, score: Double) -> AnchorDetection {
        var values = SIMD32<Double>()
        (values[0], values[1], values[2], values[3]) = (x, y, side, side)
        (values[4], values[5]) = (x - side / 4, y)
        return AnchorDetection(values: values, score: score)
    }

    private func reduced(_ candidates: [AnchorDetection]) -> [AnchorDetection] {
        var (candidates, boxes) = (candidates, [AnchorDetection]())
        NonMaximumSuppression.blend(&candidates, overlap: 0.3, into: &boxes)
        #expect(candidates.isEmpty)
        return boxes
    }

    @Test func overlappingBoxesBecomeTheirWeightedMean() {
        let boxes = reduced([candidate(0.5, 0.5, 0.2, score: 0.6), candidate(0.52, 0.5, 0.2, score: 0.9)])
        #expect(boxes.count == 1)
        #expect(boxes.first?.score == 0.9)
        let expected = (0.5 * 0.6 + 0.52 * 0.9) / 1.5
        #expect(abs((boxes.first?.box.center.x ?? 0) - expected) < 1e-12)
        #expect(abs((boxes.first?.keypoint(0).x ?? 0) - (expected - 0.05)) < 1e-12)
    }

    @Test func boxesApartStayApartBestFirst() {
        let boxes = reduced([
            candidate(0.2, 0.5, 0.1, score: 0.6), candidate(0.7, 0.5, 0.2, score: 0.8),
            candidate(0.4, 0.1, 0.1, score: 0.7),
        ])
        #expect(boxes.map(\.score) == [0.8, 0.7, 0.6])
    }

    /// The plain definition takes the best box first and drops those that overlap it.
    @Test func blendingKeepsTheSameBoxesAsThePlainDefinition() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<50 {
            let all = (0..<40).map { _ in
                candidate(
                    generator.number(0...1), generator.number(0...1), generator.number(0.05...0.3),
                    score: generator.number(0.5...1))
            }
            var (rest, kept) = (all.sorted { $0.score > $1.score }, [Double]())
            while let best = rest.first {
                kept.append(best.score)
                rest = rest.dropFirst().filter { overlap($0.box, best.box) <= 0.3 }
            }
            #expect(reduced(all).map(\.score) == kept)
        }
    }

    @Test func dropsBoxesWithoutAnArea() {
        #expect(reduced([candidate(0.5, 0.5, 0, score: 0.9), candidate(0.5, 0.5, 0, score: 0.8)]).isEmpty)
        #expect(reduced([]).isEmpty)
    }
}
