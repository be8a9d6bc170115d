import Foundation
import Imaging
import PeopleVision
import Testing

@Suite struct HandLandmarksTests {
    /// Returns a flat hand with its fingers up: the wrist at the bottom, the fingers side by side.
    private func flat(rotated angle: Double = 0) -> HandLandmarks {
        var hand = HandLandmarks()
        hand.points[0] = SIMD3(200, 300, 0)
        for finger in 0..<5 {
            for place in 0..<4 {
                hand.points[1 + 4 * finger + place] = SIMD3(
                    160 + 20 * Double(finger), 220 - 25 * Double(place), 0)
            }
        }
        let (cosine, sine) = (cos(angle), sin(angle))
        for index in hand.points.indices {
            let (x, y) = (hand.points[index].x - 200, hand.points[index].y - 200)
            hand.points[index] = SIMD3(200 + cosine * x - sine * y, 200 + sine * x + cosine * y, 0)
        }
        return hand
    }

    @Test(arguments: [0.0, 40, 90, 180, 290])
    func theCropOfAPalmIsTurnedWithTheHandAndLiesTowardsTheFingers(_ degrees: Double) {
        let angle = degrees * .pi / 180
        let (wrist, palm) = (Point(x: 300, y: 200), Rectangle(x: 270, y: 150, width: 60, height: 40))
        let knuckle = Point(x: wrist.x + 80 * sin(angle), y: wrist.y - 80 * cos(angle))
        let crop = HandLandmarks.crop(palm: palm, wrist: wrist, knuckle: knuckle)
        #expect(abs(remainder(crop.angle - angle, 2 * .pi)) < 1e-9)
        #expect(abs(crop.side - 2.6 * 60) < 1e-9)
        #expect(abs(crop.center.x - (300 + 20 * sin(angle))) < 1e-9)
        #expect(abs(crop.center.y - (170 - 20 * cos(angle))) < 1e-9)
    }

    /// The box of the points that count is 80 wide and 105 high, from the wrist to the middle joints.
    @Test func theNextCropIsTheBoxMovedAndEnlarged() {
        let crop = flat().nextCrop
        #expect(abs(crop.angle) < 0.01)
        // From the wrist at 300 up to the third joint of the thumb at 170.
        #expect(abs(crop.side - 2 * 130) < 2)
        #expect(abs(crop.center.y - (235 - 0.1 * 130)) < 2)
        #expect(abs(crop.center.x - 200) < 2)
    }

    @Test(arguments: [30.0, 90, 200])
    func theNextCropIsTurnedWithTheHand(_ degrees: Double) {
        let angle = degrees * .pi / 180
        let (upright, rotated) = (flat().nextCrop, flat(rotated: angle).nextCrop)
        #expect(abs(remainder(rotated.angle - upright.angle - angle, 2 * .pi)) < 1e-9)
        #expect(abs(rotated.side - upright.side) < 1e-9)
        let (x, y) = (upright.center.x - 200, upright.center.y - 200)
        #expect(abs(rotated.center.x - (200 + cos(angle) * x - sin(angle) * y)) < 1e-9)
        #expect(abs(rotated.center.y - (200 + sin(angle) * x + cos(angle) * y)) < 1e-9)
    }

    @Test func tellsHandsApart() {
        let hand = flat()
        var moved = hand
        for index in moved.points.indices { moved.points[index].x += 20 }
        #expect(hand.isSame(as: moved))
        for index in moved.points.indices { moved.points[index].x += 20 }
        #expect(!hand.isSame(as: moved))
    }

    @Test func groupsHaveTheJointsOfTheirFinger() {
        let groups = HumanHandPoseObservation.JointsGroupName.allCases.map(\.joints)
        #expect(groups.flatMap { $0 } == Array(HumanHandPoseObservation.JointName.allCases.dropFirst()))
        #expect(groups.allSatisfy { $0.last?.rawValue.hasSuffix("tip") == true })
        for (index, name) in HumanHandPoseObservation.JointName.allCases.enumerated() {
            #expect(name.index == index)
        }
    }
}
