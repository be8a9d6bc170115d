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
        // Above the hips where the image is upright; clockwise from there.
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

    @Test func boxesEncloseWhatIsSeen() {
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
