import Glibc
import Imaging

/// How far a face is turned in the picture.
enum FaceAxes {
    /// The angle, clockwise on a screen, from the line between the eyes and the line down the face.
    ///
    /// The two are added as vectors, so that the longer one has more weight: in a profile the eyes are close together, and
    /// the angle of the line between them is inaccurate.
    static func angle(rightEye: Point, leftEye: Point, top: Point, bottom: Point) -> Double {
        let (across, down) = (leftEye - rightEye, bottom - top)
        return atan2(across.y - down.x, across.x + down.y)
    }
}
