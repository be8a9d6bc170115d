import PeopleVision
import Testing

struct PoseCorrectionTests {
    private let tracked = Rotation(roll: 0.1, yaw: 0.5, pitch: -0.2)
    private let accurate = Rotation(roll: 0.12, yaw: 0.55, pitch: -0.1)

    /// Returns the angle between a corrected rotation and the expected one, in radians.
    private func distance(
        _ correction: PoseCorrection, _ tracked: Rotation, _ expected: Rotation
    ) -> Double {
        var correction = correction
        return correction.corrected(tracked).angle(to: expected)
    }

    @Test func withoutAnUpdateNothingChanges() {
        let correction = PoseCorrection()
        #expect(distance(correction, tracked, tracked) < 1e-6)
        #expect(correction.staleness >= 2)
    }

    @Test func anUpdateCorrectsTheSameImage() {
        var correction = PoseCorrection()
        correction.update(accurate, .direct, from: tracked)
        #expect(distance(correction, tracked, accurate) < 1e-6)
        correction.update(accurate, .mirrored, from: tracked)
        #expect(distance(correction, tracked, accurate) < 1e-6)
    }

    @Test func bothReferencesHaveEqualWeight() throws {
        var correction = PoseCorrection()
        let other = Rotation(roll: 0.08, yaw: 0.45, pitch: -0.3)
        correction.update(accurate, .direct, from: tracked)
        correction.update(other, .mirrored, from: tracked)
        let middle = try #require(accurate.middle(to: other))
        #expect(distance(correction, tracked, middle) < 1e-3)
    }

    /// The correction belongs to the head, so turning the camera does not change it.
    @Test func aTurnInTheImageTurnsTheCorrection() {
        var correction = PoseCorrection()
        correction.update(accurate, .direct, from: tracked)
        let turn = SIMD3(0, 0, 0.7)
        var (turned, expected) = (tracked, accurate)
        turned.rotate(by: turn)
        expected.rotate(by: turn)
        #expect(distance(correction, turned, expected) < 1e-6)
    }

    @Test func referencesAlternateAndExpire() {
        var correction = PoseCorrection()
        #expect(correction.next == .direct)
        correction.update(accurate, .direct, from: tracked)
        #expect(correction.next == .mirrored)
        correction.update(nil, .mirrored, from: tracked)
        _ = correction.corrected(tracked)
        #expect(correction.staleness < 1)
        correction.age(by: 5)
        #expect(correction.staleness >= 1)
        correction.update(accurate, .direct, from: tracked)
        _ = correction.corrected(Rotation(roll: 0.1, yaw: -0.5, pitch: -0.2))
        #expect(correction.staleness >= 1)
    }
}
