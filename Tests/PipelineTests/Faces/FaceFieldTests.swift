import Foundation
import TestSupport
import Testing

/// The optional fields of facepose's faces, as a Python program reads them.
struct FaceFieldTests {
    private func frame(_ properties: String) throws -> (face: [String: Any], message: [String: Any]) {
        let line =
            "filesrc location=\(Checkout.astronaut.path) ! decodebin ! videoconvert ! "
            + "facepose post-messages=true \(properties) ! appsink name=sink sync=false"
        let result = try script("read_faces.py", [line])
        #expect(result.status == 0, "\(result.output)")
        let faces = try objects(result).map { try #require($0["faces"] as? [[String: Any]]).first }
        let (face, message) = (try #require(faces.first), try #require(faces.last))
        return (try #require(face), try #require(message))
    }

    @Test func omitsFieldsThatWereNotRequested() throws {
        let face = try frame("").face
        for name in ["landmarks", "mesh", "quality"] { #expect(face[name] == nil) }
    }

    @Test func landmarksAreInTheirRegions() throws {
        let (face, message) = try frame("landmarks=true")
        let landmarks = try #require(face["landmarks"] as? [String: [Double]])
        #expect(landmarks.count == 12)
        #expect(landmarks["face-contour"]?.count == 51 && landmarks["outer-lips"]?.count == 42)
        let pupil = try #require(landmarks["left-pupil"])
        #expect(abs(pupil[0] * 512 - 246) < 3 && abs(pupil[1] * 512 - 104) < 3 && pupil[2] > 0.5)
        #expect(message["landmarks"] as? NSDictionary == face["landmarks"] as? NSDictionary)
    }

    @Test func theMeshIsThereOnRequest() throws {
        let mesh = try #require(try frame("mesh=true").face["mesh"] as? [Double])
        #expect(mesh.count == 3 * 478)
        // The tip of the nose is nearer to the camera than the corner of an eye.
        #expect(abs(mesh[12] * 512 - 224) < 6 && mesh[14] < mesh[3 * 33 + 2])
    }

    /// The same head fills more of a wide view, so it is nearer and seen from another side.
    @Test func theFieldOfViewChangesTheAngles() throws {
        let angles = try ["", "field-of-view=40", "field-of-view=90"].map {
            try #require(try frame($0).face["pitch"] as? Double)
        }
        #expect(abs(angles[0] - angles[1]) < 1e-6)
        #expect(abs(angles[0] - angles[2]) > 0.02)
    }
}
