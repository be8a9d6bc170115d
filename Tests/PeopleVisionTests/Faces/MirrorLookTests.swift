import Foundation
import PeopleVision
import Testing

/// The arithmetic of a second look in the mirror.
@Suite struct MirrorLookTests {
    @Test func mirroredHeadsTurnAndTiltTheOtherWay() {
        for (roll, yaw, pitch) in [(0.3, -0.8, 0.4), (-2.9, 1.2, -0.5), (0, 0, 0)] {
            let pose = HeadPose(Rotation(roll: roll, yaw: yaw, pitch: pitch).mirrored)
            #expect(
                abs(pose.roll + roll) < 1e-9 && abs(pose.yaw + yaw) < 1e-9 && abs(pose.pitch - pitch) < 1e-9)
        }
    }

    /// Mirroring the head's own right and the picture's as matrices: F R F with F = diag(-1, 1, 1).
    @Test func mirroringIsThatOfTheMatrix() {
        let (flip, rotation) = (SIMD3<Double>(-1, 1, 1), Rotation(roll: 1.1, yaw: 0.6, pitch: -0.3))
        for point in [SIMD3<Double>(1, 0, 0), SIMD3(0.2, -3, 5)] {
            let difference = rotation.mirrored.turn(point) - rotation.turn(point * flip) * flip
            #expect((difference * difference).sum() < 1e-20)
        }
    }

    @Test func theMiddleIsBetweenBoth() throws {
        let (one, other) = (
            Rotation(roll: 3.1, yaw: 0.5, pitch: 0.1), Rotation(roll: -3.1, yaw: 0.7, pitch: 0.3)
        )
        let middle = HeadPose(try #require(one.blended(with: other, share: 0.5)))
        #expect(abs(remainder(middle.roll - .pi, 2 * .pi)) < 0.01)
        #expect(abs(middle.yaw - 0.6) < 0.01 && abs(middle.pitch - 0.2) < 0.01)
        let same = HeadPose(try #require(one.blended(with: other, share: 0)))
        #expect(abs(same.yaw - 0.5) < 1e-9)
        let opposite = Rotation(roll: 3.1 - .pi, yaw: 0, pitch: 0)
        #expect(Rotation(roll: 3.1, yaw: 0, pitch: 0).blended(with: opposite, share: 0.5) == nil)
    }

    /// The share of the second look grows without a jump, alike on both sides, to a half.
    @Test func itCountsMoreTheFurtherTheHeadIsTurned() {
        #expect(MirrorLook.share(atYaw: 0) == 0 && MirrorLook.share(atYaw: 0.17) == 0)
        #expect(MirrorLook.share(atYaw: 0.5) == 0.5 && MirrorLook.share(atYaw: -1.4) == 0.5)
        var last = 0.0
        for yaw in stride(from: 0, through: 1.5, by: 0.01) {
            let share = MirrorLook.share(atYaw: yaw)
            #expect(share >= last && share - last < 0.03 && share == MirrorLook.share(atYaw: -yaw))
            last = share
        }
    }
}
