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
    private var faces: [Rectangle] = []
    private let image = FloatImage()

    /// Loads the model.
    ///
    /// - Parameter extent: size of the image of faces.
    package init(_ extent: SegmentationPlan.Extent, _ setup: ModelSetup) throws(VisionError) {
        detector = try FaceDetector(Self.name, setup.withoutUserModel)
        image.resize(width: extent.width, height: extent.height)
    }

    /// Compiles the model on a thread.
    static func compilation(_ setup: ModelSetup) -> BackgroundCompilation {
        BackgroundCompilation(name, setup.withoutUserModel)
    }

    /// Finds the model's files without loading them.
    static func check(_ setup: ModelSetup) throws(VisionError) { _ = try setup.withoutUserModel.find(name) }

    /// Returns the squares around the faces of people in boxes, in the upright frame's unit square.
    ///
    /// Faces that lie on their side or upside down are not found. A person takes 2 ms.
    package func find(in frame: InputFrame, _ boxes: some Sequence<Rectangle>) throws(VisionError)
        -> [Rectangle]
    {
        faces.removeAll(keepingCapacity: true)
        let upright = UprightFrame(frame)
        for box in boxes.lazy.map(upright.pixels) {
            let view = Self.view(of: box)
            guard view.isUsable else { continue }
            found.removeAll(keepingCapacity: true)
            try detector.find(in: upright, view, into: &found)
            for face in found where box.contains(face.center) {
                faces.append(face.square.scaled(to: upright.size))
            }
        }
        return faces
    }

    /// Returns the square that shows the upper end of a person's box, in pixels.
    private static func view(of box: Rectangle) -> RotatedSquare {
        let width = min(box.width, box.height)
        return RotatedSquare(
            center: Point(x: box.center.x, y: box.y + width / 2), side: viewScale * width, angle: 0)
    }

    /// Returns an image whose values are shares of faces in the circles within `squares`; valid until the next call.
    ///
    /// The sum over a part of the image is the share of a face in it.
    package func shares(of squares: [Rectangle]) -> FloatImage {
        image.fill(0)
        for square in squares {
            let share = Float(1 / (.pi / 4 * square.area * Double(image.count)))
            guard share.isFinite else { continue }
            image.forEachPlace(inCircleOf: square) { image.base[$0] = share }
        }
        return image
    }
}

extension FloatImage {
    /// Returns the mean of the values whose places are in the circle within a square; 0 outside of the image.
    ///
    /// - Parameters: as `forEachPlace(inCircleOf:scale:_:)`.
    func mean(inCircleOf square: Rectangle, scale: Double = 1) -> Float {
        var (sum, area) = (Float(0), Float(0))
        forEachPlace(inCircleOf: square, scale: scale) { index in
            sum += base[index]
            area += 1
        }
        return area > 0 ? sum / area : 0
    }

    /// Calls `body` with the index of each value whose place is in the circle within a square.
    ///
    /// - Parameters:
    ///   - square: in the image's unit square, where it may be a rectangle.
    ///   - scale: diameter of the circle, as a share of the square's side.
    func forEachPlace(inCircleOf square: Rectangle, scale: Double = 1, _ body: (Int) -> Void) {
        let area = PixelRect(square, width: width, height: height)
        for y in area.y..<(area.y + area.height) {
            let down = ((Double(y) + 0.5) / Double(height) - square.center.y) / square.height
            for x in area.x..<(area.x + area.width) {
                let across = ((Double(x) + 0.5) / Double(width) - square.center.x) / square.width
                if across * across + down * down < 0.25 * scale * scale { body(y * width + x) }
            }
        }
    }
}

extension Rectangle {
    /// Returns the rectangle, in pixels of a frame of `size`, in the frame's unit square.
    fileprivate func scaled(to size: Size) -> Rectangle {
        Rectangle(
            x: x / size.width, y: y / size.height, width: width / size.width, height: height / size.height)
    }
}
