import Foundation
import Imaging
import PeopleVision
import Testing

@Suite struct BodyLandmarksTests {
    private func standing() -> BodyLandmarks {
        SyntheticBody(root: SIMD3(0, 0, -4)).seen(
            focalLength: 900, size: Size(width: 1280, height: 720), factor: 1)
    }

    @Test(arguments: [0.0, 50, 90, 180, 290])
    func theCropIsTurnedWithTheBody(_ degrees: Double) {
        let angle = degrees * .pi / 180
        let hips = Point(x: 300, y: 200)
        // Above the hips in an upright image, and clockwise from there.
        let above = Point(x: hips.x + 80 * sin(angle), y: hips.y - 80 * cos(angle))
        let crop = BodyLandmarks.crop(hips: hips, above: above)
        #expect(crop.center == hips && abs(crop.side - 200) < 1e-9)
        #expect(abs(remainder(crop.angle - angle, 2 * .pi)) < 1e-9)
    }

    @Test func tellsBodiesApart() {
        let (one, other) = (standing(), standing())
        #expect(one.isSame(as: other))
        var moved = other
        for index in moved.points.indices { moved.points[index].x += 60 }
        #expect(!one.isSame(as: moved))
        for index in moved.points.indices { moved.points[index].x -= 50 }
        #expect(one.isSame(as: moved))
    }

    @Test func bodiesAgreeByTheirLimbs() {
        let (body, size) = (standing(), Size(width: 1280, height: 720))
        #expect(body.agreement(with: body, in: size) == 1)
        // One of the twelve joints is elsewhere. The finger's point is not one of them.
        var other = body
        other.points[BodyPoint.leftWrist.rawValue].x += 1000
        other.points[17].x += 1000
        #expect(abs(other.agreement(with: body, in: size) - 11.0 / 12) < 1e-9)
        // Joints outside the image do not count.
        let knees = [BodyPoint.leftKnee, .rightKnee].map { body.points[$0.rawValue].y }
        let upper = Size(width: 1280, height: (knees.min() ?? 0) - 1)
        other = body
        for index in BodyPoint.leftKnee.rawValue..<BodyLandmarks.pointCount { other.points[index].y += 1000 }
        #expect(other.agreement(with: body, in: upper) == 1 && other.agreement(with: body, in: size) < 0.7)
        var moved = body
        var last = 1.0
        for _ in 0..<4 {
            for index in moved.points.indices { moved.points[index].y += 20 }
            let agreement = moved.agreement(with: body, in: size)
            #expect(agreement < last && agreement > 0)
            last = agreement
        }
        #expect(BodyLandmarks().agreement(with: BodyLandmarks(), in: size) == 0)
    }

    @Test func boxesEncloseTheBodyOrItsUpperPart() {
        let (body, size) = (standing(), Size(width: 1280, height: 720))
        let (upper, full) = (body.box(upperBody: true, in: size), body.box(upperBody: false, in: size))
        #expect(abs(upper.y - full.y) < 1e-9 && upper.height < 0.7 * full.height)
        for index in 0..<BodyLandmarks.pointCount {
            let point = body.points[index]
            #expect(point.x > full.x && point.x < full.x + full.width)
            #expect(point.y > full.y && point.y < full.y + full.height)
        }
        // Hips belong to the upper body, knees do not.
        let (hip, knee) = (BodyPoint.leftHip.rawValue, BodyPoint.leftKnee.rawValue)
        #expect(body.points[hip].y < upper.y + upper.height && body.points[knee].y > upper.y + upper.height)
    }

    @Test func boxesStayInTheImage() {
        var body = standing()
        for index in body.points.indices { body.points[index].y += 400 }
        let box = body.box(upperBody: false, in: Size(width: 1280, height: 720))
        #expect(box.x >= 0 && box.y >= 0 && box.y + box.height <= 720)
    }
}
