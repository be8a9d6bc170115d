import PeopleVision
import Testing

struct PoseCorrectionTests {
    private let followed = Rotation(roll: 0.1, yaw: 0.5, pitch: -0.2)
    private let exact = Rotation(roll: 0.12, yaw: 0.55, pitch: -0.1)

    /// From what a followed rotation is corrected to, in radians.
    private func distance(
        _ correction: PoseCorrection, _ followed: Rotation, _ expected: Rotation
    ) -> Double {
        var correction = correction
        return correction.corrected(followed).angle(to: expected)
    }

    @Test func withoutALookNothingChanges() {
        let correction = PoseCorrection()
        #expect(distance(correction, followed, followed) < 1e-6)
        #expect(correction.need >= 2)
    }

    @Test func aLookCorrectsTheSamePicture() {
        var correction = PoseCorrection()
        correction.learn(exact, .direct, from: followed)
        #expect(distance(correction, followed, exact) < 1e-6)
        correction.learn(exact, .mirrored, from: followed)
        #expect(distance(correction, followed, exact) < 1e-6)
    }

    @Test func bothLooksCountAlike() throws {
        var correction = PoseCorrection()
        let other = Rotation(roll: 0.08, yaw: 0.45, pitch: -0.3)
        correction.learn(exact, .direct, from: followed)
        correction.learn(other, .mirrored, from: followed)
        let middle = try #require(exact.middle(to: other))
        #expect(distance(correction, followed, middle) < 1e-3)
    }

    /// The correction belongs to the head: a camera that is turned changes nothing about it.
    @Test func aTurnInThePictureTurnsTheCorrection() {
        var correction = PoseCorrection()
        correction.learn(exact, .direct, from: followed)
        let turn = SIMD3(0, 0, 0.7)
        var (turned, expected) = (followed, exact)
        turned.rotate(by: turn)
        expected.rotate(by: turn)
        #expect(distance(correction, turned, expected) < 1e-6)
    }

    @Test func looksTakeTurnsAndAreNeededAgain() {
        var correction = PoseCorrection()
        #expect(correction.next == .direct)
        correction.learn(exact, .direct, from: followed)
        #expect(correction.next == .mirrored)
        correction.learn(nil, .mirrored, from: followed)
        _ = correction.corrected(followed)
        #expect(correction.need < 1)
        correction.age(by: 5)
        #expect(correction.need >= 1)
        correction.learn(exact, .direct, from: followed)
        _ = correction.corrected(Rotation(roll: 0.1, yaw: -0.5, pitch: -0.2))
        #expect(correction.need >= 1)
    }
}
