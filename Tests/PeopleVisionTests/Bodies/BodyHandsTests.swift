import Imaging
import PeopleVision
import TestSupport
import Testing

/// Hands of bodies, in the packaged clip's three people.
@Suite struct BodyHandsTests {
    @Test func handsAreAtTheWristsOfTheirBodies() throws {
        let image = try Photo.clip(frame: 60).image
        let request = DetectHumanBodyPoseRequest()
        let without = try request.perform(on: image.view)
        #expect(without.count == 3 && without.allSatisfy { $0.leftHand == nil && $0.rightHand == nil })
        request.detectsHands = true
        let bodies = try request.perform(on: image.view)
        #expect(bodies.map(\.joints) == without.map(\.joints))
        var count = 0
        for body in bodies {
            for (hand, name) in [
                (body.leftHand, HumanBodyPoseObservation.JointName.leftWrist), (body.rightHand, .rightWrist),
            ] {
                guard let hand else { continue }
                count += 1
                let (wrist, place) = (hand.joint(.wrist).location, body.joint(name).location)
                #expect(abs(wrist.x - place.x) < 0.08 && abs(wrist.y - place.y) < 0.12, "\(name)")
            }
        }
        // Each of the three holds something before the face.
        #expect(count >= 3 && bodies.allSatisfy { $0.leftHand != nil || $0.rightHand != nil }, "\(count)")
        let boxes = bodies.flatMap { [$0.leftHand, $0.rightHand] }.compactMap { $0?.boundingBox }
        #expect(Set(boxes).count == boxes.count)
    }

    /// The request for bodies in space has the same hands, and so has a stream.
    @Test func bodiesInSpaceHaveHands() throws {
        let image = try Photo.clip(frame: 60).image
        let plain = DetectHumanBodyPoseRequest()
        plain.detectsHands = true
        let bodies = try plain.perform(on: image.view)
        let request = DetectHumanBodyPose3DRequest()
        request.detectsHands = true
        let found = try request.perform(on: image.view)
        #expect(found.map(\.leftHand) == bodies.map(\.leftHand))
        #expect(found.map(\.rightHand) == bodies.map(\.rightHand))
        request.mode = .recording
        for time in 0..<3 {
            let stream = try request.perform(on: InputFrame(image.view, time: .milliseconds(40 * time)))
            #expect(stream.contains { $0.leftHand != nil || $0.rightHand != nil })
        }
        request.detectsHands = false
        #expect(try request.perform(on: image.view).allSatisfy { $0.leftHand == nil && $0.rightHand == nil })
        request.unload()
    }

    @Test func nobodyHasNoHands() throws {
        let request = DetectHumanBodyPoseRequest()
        request.detectsHands = true
        try request.prepare()
        try request.checkModels()
        #expect(try request.perform(on: Photo.grey(width: 320, height: 240).image.view).isEmpty)
    }
}
