import PeopleVision
import Testing

/// Tests of the correction of fitted rotations: none for frontal heads, mirrored with them, turned with the
/// image.
@Suite struct PoseCalibrationTests {
    private func corrected(_ roll: Double, _ yaw: Double, _ pitch: Double) -> HeadPose {
        HeadPose(PoseCalibration.corrected(Rotation(roll: roll, yaw: yaw, pitch: pitch)))
    }

    @Test func frontalHeadsStay() {
        for pitch in [-0.5, 0, 0.5] {
            let pose = corrected(0.3, 0, pitch)
            #expect(abs(pose.roll - 0.3) < 1e-9 && abs(pose.yaw) < 1e-9 && abs(pose.pitch - pitch) < 1e-9)
        }
    }

    @Test func mirroredHeadsGetMirroredAngles() {
        for yaw in [0.2, 0.7, 1.3] {
            let (one, other) = (corrected(0.2, yaw, -0.4), corrected(-0.2, -yaw, -0.4))
            #expect(abs(one.roll + other.roll) < 1e-9 && abs(one.yaw + other.yaw) < 1e-9)
            #expect(abs(one.pitch - other.pitch) < 1e-9)
        }
    }

    @Test func turningTheImageTurnsTheHeadOnly() {
        let (upright, turned) = (corrected(0, 0.7, 0.3), corrected(1.1, 0.7, 0.3))
        #expect(abs(turned.roll - upright.roll - 1.1) < 1e-9)
        #expect(abs(turned.yaw - upright.yaw) < 1e-9 && abs(turned.pitch - upright.pitch) < 1e-9)
    }

    /// The correction is continuous, and changes no angle by more than a few degrees.
    @Test func correctionsAreSmallAndContinuous() {
        var last = corrected(0, -1.4, 0.4)
        for yaw in stride(from: -1.4, through: 1.4, by: 0.01) {
            let pose = corrected(0, yaw, 0.4)
            #expect(abs(pose.yaw - yaw) < 0.12 && abs(pose.roll - last.roll) < 0.03)
            last = pose
        }
    }
}
