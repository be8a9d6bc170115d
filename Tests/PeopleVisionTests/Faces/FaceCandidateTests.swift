import Imaging
import PeopleVision
import TestSupport
import Testing

/// Anchors and suppression against plain definitions.
@Suite struct FaceCandidateTests {
    @Test func anchorsAreTheCentresOfCells() {
        let layers = [
            AnchorLayer(stride: 8, anchorsPerCell: 2), AnchorLayer(stride: 16, anchorsPerCell: 6),
        ]
        let centers = Anchors(layers, side: 128).centers
        #expect(centers.count == 16 * 16 * 2 + 8 * 8 * 6)
        for (index, center) in centers.prefix(512).enumerated() {
            let cell = index / 2
            #expect(center == Point(x: (Double(cell % 16) + 0.5) / 16, y: (Double(cell / 16) + 0.5) / 16))
        }
        for (index, center) in centers.dropFirst(512).enumerated() {
            let cell = index / 6
            #expect(center == Point(x: (Double(cell % 8) + 0.5) / 8, y: (Double(cell / 8) + 0.5) / 8))
        }
        #expect(Anchors([AnchorLayer(stride: 4, anchorsPerCell: 1)], side: 192).centers.count == 2304)
    }

    private func candidate(_ x: Double, _ y: Double, _ side: Double, score: Double) -> FaceCandidate {
        let center = Point(x: x, y: y)
        return FaceCandidate(
            box: Rectangle(x: x - side / 2, y: y - side / 2, width: side, height: side),
            rightEye: Point(x: x - side / 4, y: y), leftEye: Point(x: x + side / 4, y: y), mouth: center,
            score: score)
    }

    private func reduced(_ candidates: [FaceCandidate]) -> [FaceCandidate] {
        var (candidates, faces) = (candidates, [FaceCandidate]())
        WeightedSuppression.reduce(&candidates, overlap: 0.3, into: &faces)
        #expect(candidates.isEmpty)
        return faces
    }

    @Test func oneFaceIsTheWeightedMeanOfItsBoxes() {
        let faces = reduced([candidate(0.5, 0.5, 0.2, score: 0.6), candidate(0.52, 0.5, 0.2, score: 0.9)])
        #expect(faces.count == 1)
        #expect(faces.first?.score == 0.9)
        let expected = (0.5 * 0.6 + 0.52 * 0.9) / 1.5
        #expect(abs((faces.first?.box.center.x ?? 0) - expected) < 1e-12)
        #expect(abs((faces.first?.mouth.x ?? 0) - expected) < 1e-12)
    }

    @Test func facesApartStayApartBestFirst() {
        let faces = reduced([
            candidate(0.2, 0.5, 0.1, score: 0.6), candidate(0.7, 0.5, 0.2, score: 0.8),
            candidate(0.4, 0.1, 0.1, score: 0.7),
        ])
        #expect(faces.map(\.score) == [0.8, 0.7, 0.6])
    }

    /// Greedy suppression, written as its definition: best first, drop what overlaps.
    @Test func keepsTheSameFacesAsThePlainDefinition() {
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

    @Test func boxesWithoutAreaDoNotHang() {
        #expect(reduced([candidate(0.5, 0.5, 0, score: 0.9), candidate(0.5, 0.5, 0, score: 0.8)]).isEmpty)
        #expect(reduced([]).isEmpty)
    }

    @Test func aBoxWithinAnotherIsTheSameFace() {
        let face = Rectangle(x: 0, y: 0, width: 100, height: 100)
        for (other, isSame) in [
            (Rectangle(x: 20, y: 20, width: 90, height: 90), true),
            (Rectangle(x: 70, y: 30, width: 40, height: 40), true),
            (Rectangle(x: 90, y: 30, width: 40, height: 40), false),
            (Rectangle(x: 60, y: 0, width: 100, height: 100), false),
            (Rectangle(x: 200, y: 0, width: 100, height: 100), false),
        ] {
            #expect(face.isSameFace(as: other) == isSame, "\(other)")
            #expect(other.isSameFace(as: face) == isSame, "\(other)")
        }
    }

    private func overlap(_ a: Rectangle, _ b: Rectangle) -> Double {
        let width = max(0, min(a.x + a.width, b.x + b.width) - max(a.x, b.x))
        let height = max(0, min(a.y + a.height, b.y + b.height) - max(a.y, b.y))
        return width * height / (a.width * a.height + b.width * b.height - width * height)
    }
}
