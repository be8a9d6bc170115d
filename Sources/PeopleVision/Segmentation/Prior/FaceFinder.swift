package import Imaging

/// Finds the faces of a frame's people, which no mask may lose.
///
/// Each person's box is searched by itself: in the whole frame the faces of whole figures are too small for
/// the detector.
package final class FaceFinder {
    private static let name = "face_detection_short_range"
    /// Side of the view of a person, as a share of the shorter side of the person's box, with room for a head
    /// above it.
    private static let viewScale = 1.2

    private let detector: FaceDetector
    private var found: [FaceDetection] = []
    private let faces = FloatImage()

    /// Loads the model.
    ///
    /// - Parameter extent: size of the image of faces.
    package init(_ extent: SegmentationPlan.Extent, _ setup: ModelSetup) throws(VisionError) {
        detector = try FaceDetector(Self.name, setup.withoutUserModel)
        faces.resize(width: extent.width, height: extent.height)
    }

    /// Compiles the model on a thread.
    static func compilation(_ setup: ModelSetup) -> BackgroundCompilation {
        BackgroundCompilation(name, setup.withoutUserModel)
    }

    /// Finds the model's files without loading them.
    static func check(_ setup: ModelSetup) throws(VisionError) { _ = try setup.withoutUserModel.find(name) }

    /// Returns an image of the upright frame whose values are shares of a face of one of `people`; valid
    /// until the next call.
    ///
    /// The sum over a part of the frame is the share of a face in it. Only prominent people count: others may
    /// be missing from a mask as a whole. Faces that lie on their side or upside down are not found. A person
    /// takes 2 ms.
    package func find(
        in frame: InputFrame, _ people: ArraySlice<PersonPrior.Person>
    ) throws(VisionError) -> FloatImage {
        faces.fill(0)
        let upright = UprightFrame(frame)
        for person in people where person.isProminent {
            let box = upright.pixels(person.person.box)
            let view = Self.view(of: box)
            guard view.isUsable else { continue }
            found.removeAll(keepingCapacity: true)
            try detector.find(in: upright, view, into: &found)
            for face in found where box.contains(face.center) { add(face, upright.size) }
        }
        return faces
    }

    /// Returns the square that shows the upper end of a person's box, in pixels.
    private static func view(of box: Rectangle) -> RotatedSquare {
        let width = min(box.width, box.height)
        return RotatedSquare(
            center: Point(x: box.center.x, y: box.y + width / 2), side: viewScale * width, angle: 0)
    }

    /// Adds the circle in the square around a face, in a frame of `size`.
    private func add(_ face: FaceDetection, _ size: Size) {
        let box = Rectangle(
            x: face.square.x / size.width, y: face.square.y / size.height, width: face.side / size.width,
            height: face.side / size.height)
        let area = PixelRect(box, width: faces.width, height: faces.height)
        let share = Float(1 / (.pi / 4 * box.area * Double(faces.count)))
        guard share.isFinite else { return }
        for y in area.y..<(area.y + area.height) {
            let row = faces.row(y)
            let down = (Double(y) + 0.5) / Double(faces.height) - box.center.y
            for x in area.x..<(area.x + area.width) {
                let across = (Double(x) + 0.5) / Double(faces.width) - box.center.x
                let (u, v) = (across / box.width, down / box.height)
                if u * u + v * v < 0.25 { row[x] = share }
            }
        }
    }
}
