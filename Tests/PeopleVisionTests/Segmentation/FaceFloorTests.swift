import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of faces that a mask shows in part.
struct FaceFloorTests {
    private static let side = 100
    private static let face = Rectangle(x: 0.3, y: 0.2, width: 0.4, height: 0.4)

    /// Whether a place is in the inner circle of the face, of a diameter of 32 pixels around (50, 40).
    private static func isInner(_ x: Int, _ y: Int) -> Bool {
        let (across, down) = (Double(x) + 0.5 - 50, Double(y) + 0.5 - 40)
        return across * across + down * down < 16 * 16
    }

    /// Returns a mask with faces closed, for people of the same coverage everywhere.
    private func closed(
        _ mask: FloatImage, coverage: Float = 1, faces: [Rectangle] = [face]
    ) -> FloatImage {
        let floor = FaceFloor(SegmentationPlan(.balanced, size: Size(width: 100, height: 100)))
        let result = FloatImage()
        result.copy(mask)
        floor.raise(result, at: faces, people: uniform(coverage))
        return result
    }

    private func uniform(_ value: Float) -> FloatImage { FloatImage(Self.side, Self.side) { _, _ in value } }

    // Rule: face-floor.
    @Test(arguments: [0.31, 0.5, 0.9] as [Float]) func closesAFaceThatTheMaskShowsInPart(alpha: Float) {
        let expected = FloatImage(Self.side, Self.side) { x, y in Self.isInner(x, y) ? 1 : alpha }
        #expect(distance(closed(uniform(alpha)).array, expected.array) < 1e-6)
    }

    @Test func leavesAFaceOfWhichTheMaskShowsLittle() {
        #expect(closed(uniform(0.29)).array == uniform(0.29).array)
        #expect(closed(uniform(0)).array == uniform(0).array)
    }

    @Test func needsCoarseCoverage() {
        #expect(closed(uniform(0.5), coverage: 0.1).array == uniform(0.5).array)
        #expect(abs(closed(uniform(0.5), coverage: 0.34)[50, 40] - 0.8) < 1e-4)
    }

    @Test func leavesAMaskWithoutFaces() {
        #expect(closed(uniform(0.5), faces: []).array == uniform(0.5).array)
        let outside = Rectangle(x: 1.2, y: -3, width: 0.5, height: 0.5)
        #expect(closed(uniform(0.5), faces: [outside]).array == uniform(0.5).array)
    }
}
