import Foundation
import PeopleVision
import TestSupport
import Testing

@Suite struct PoseSmootherTests {
    private let interval = 1.0 / 30

    @Test func noiseShrinks() {
        var (smoother, generator) = (PoseSmoother(), SeededGenerator(seed: 3))
        var (noise, rest) = (0.0, 0.0)
        for index in 0..<300 {
            let yaw = generator.number(-0.005...0.005)
            let smooth = smoother.smooth(HeadPose(roll: 0, yaw: yaw, pitch: 0), interval: interval)
            if index > 30 {
                noise += yaw * yaw
                rest += smooth.yaw * smooth.yaw
            }
        }
        #expect(rest < 0.3 * noise)
    }

    /// With a nod of 20 degrees twice a second, the filter lags by less than an image.
    @Test func aFastNodDoesNotLag() {
        var smoother = PoseSmoother()
        let nod = { (time: Double) in 0.35 * sin(2 * .pi * 2 * time) }
        var (now, before) = (0.0, 0.0)
        for index in 0..<120 {
            let time = Double(index) * interval
            let pose = HeadPose(roll: 0, yaw: 0, pitch: nod(time))
            let pitch = smoother.smooth(pose, interval: interval).pitch
            guard index > 30 else { continue }
            now += abs(pitch - nod(time))
            before += abs(pitch - nod(time - interval))
        }
        #expect(now < before)
    }

    @Test func anglesGoTheShortWayRound() {
        var smoother = PoseSmoother()
        for step in 0..<40 {
            let angle = 3.0 + 0.02 * Double(step)
            let roll = HeadPose.wrapped(angle)
            let smooth = smoother.smooth(HeadPose(roll: roll, yaw: 0, pitch: 0), interval: interval).roll
            #expect(abs(degrees(smooth, angle)) < 5)
            #expect((-Double.pi..<Double.pi).contains(smooth))
        }
    }
}
