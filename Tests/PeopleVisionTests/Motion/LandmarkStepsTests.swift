import PeopleVision
import Testing

struct LandmarkStepsTests {
    @Test func aShiftOfTheWholeThingKeepsItsPlacesInSpace() {
        let steps = LandmarkSteps(
            Array(repeating: SIMD2(5, -3), count: 4), origin: 0..<4, metresPerPixel: 0.005)
        #expect(steps.ofOrigin.x == 5 && steps.ofOrigin.y == -3)
        for index in 0..<4 {
            #expect(steps.image(index) == SIMD3(5, -3, 0))
            #expect(steps.world(index) == SIMD3())
        }
    }

    /// Y points down in pixels, and up in metres.
    @Test func aPointThatMovesByItselfMovesInSpace() {
        let steps = LandmarkSteps(
            [SIMD2(5, 0), SIMD2(5, 0), SIMD2(5, 0), SIMD2(25, 10)], origin: 0...1, metresPerPixel: 0.005)
        let step = steps.world(3)
        #expect(abs(step.x - 0.1) < 1e-9 && abs(step.y + 0.05) < 1e-9 && step.z == 0)
        #expect(steps.world(2) == SIMD3())
    }

    @Test func pointsMoveInTheImageAndInSpace() {
        let steps = LandmarkSteps([SIMD2(1, 2), SIMD2(3, 4)], origin: 0..<1, metresPerPixel: 0.5)
        var (points, positions) = ([SIMD3(7.0, 7, 0.9), SIMD3(8, 8, 1)], [SIMD3(0.0, 0, 1), SIMD3(1, 1, 1)])
        steps.move(&points, &positions)
        #expect(points == [SIMD3(8, 9, 0.9), SIMD3(11, 12, 1)])
        #expect(positions == [SIMD3(0, 0, 1), SIMD3(2, 0, 1)])
    }
}
