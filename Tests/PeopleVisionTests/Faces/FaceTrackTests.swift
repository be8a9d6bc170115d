import Imaging
import PeopleVision
import Testing

/// Tests of the decision whether two boxes belong to one face.
struct FaceTrackTests {
    @Test func aBoxWithinAnotherIsTheSameFace() {
        let face = Rectangle(x: 0, y: 0, width: 100, height: 100)
        for (other, isSame) in [
            (Rectangle(x: 20, y: 20, width: 90, height: 90), true),
            (Rectangle(x: 70, y: 30, width: 40, height: 40), true),
            (Rectangle(x: 90, y: 30, width: 40, height: 40), false),
            (Rectangle(x: 60, y: 0, width: 100, height: 100), false),
            (Rectangle(x: 200, y: 0, width: 100, height: 100), false),
        ] {
            #expect(face.isSameFace(as: other) == isSame, "\(other)")
            #expect(other.isSameFace(as: face) == isSame, "\(other)")
        }
    }
}
