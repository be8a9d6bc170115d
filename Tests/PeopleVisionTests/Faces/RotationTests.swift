import Foundation
import PeopleVision
import Testing

/// Tests of the rotations of mirrored heads, and of the angle between two rotations.
@Suite struct RotationTests {
    @Test func mirroredHeadsTurnAndTiltTheOtherWay() {
        for (roll, yaw, pitch) in [(0.3, -0.8, 0.4), (-2.9, 1.2, -0.5), (0, 0, 0)] {
            let pose = HeadPose(Rotation(roll: roll, yaw: yaw, pitch: pitch).mirrored)
            #expect(
                abs(pose.roll + roll) < 1e-9 && abs(pose.yaw + yaw) < 1e-9 && abs(pose.pitch - pitch) < 1e-9)
        }
    }

    /// Mirroring the head's own right and the image's, as matrices: F R F with F = diag(-1, 1, 1).
    @Test func mirroringIsThatOfTheMatrix() {
        let (flip, rotation) = (SIMD3<Double>(-1, 1, 1), Rotation(roll: 1.1, yaw: 0.6, pitch: -0.3))
        for point in [SIMD3<Double>(1, 0, 0), SIMD3(0.2, -3, 5)] {
            let difference = rotation.mirrored.turn(point) - rotation.turn(point * flip) * flip
            #expect((difference * difference).sum() < 1e-20)
        }
    }

    @Test func theDifferenceLeadsFromOneToTheOther() {
        let (one, other) = (
            Rotation(roll: 0.4, yaw: 0.5, pitch: 0.1), Rotation(roll: -0.2, yaw: -0.3, pitch: 0.3)
        )
        #expect(one.after(one.difference(to: other)).angle(to: other) < 1e-6)
        #expect(one.angle(to: one) < 1e-6)
        let tilted = Rotation(roll: 0.25, yaw: 0, pitch: 0)
        #expect(abs(Rotation(roll: 0, yaw: 0, pitch: 0).angle(to: tilted) - 0.25) < 1e-9)
    }

    @Test func theMiddleIsBetweenBoth() throws {
        let (one, other) = (
            Rotation(roll: 3.1, yaw: 0.5, pitch: 0.1), Rotation(roll: -3.1, yaw: 0.7, pitch: 0.3)
        )
        let middle = HeadPose(try #require(one.middle(to: other)))
        #expect(abs(remainder(middle.roll - .pi, 2 * .pi)) < 0.01)
        #expect(abs(middle.yaw - 0.6) < 0.01 && abs(middle.pitch - 0.2) < 0.01)
        let same = HeadPose(try #require(one.middle(to: one)))
        #expect(abs(same.yaw - 0.5) < 1e-9)
        let opposite = Rotation(roll: 3.1 - .pi, yaw: 0, pitch: 0)
        #expect(Rotation(roll: 3.1, yaw: 0, pitch: 0).middle(to: opposite) == nil)
    }
}
