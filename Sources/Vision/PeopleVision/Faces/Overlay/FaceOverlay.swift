import Glibc
public import Imaging

/// The parts of faces that are drawn.
public enum FaceOverlay: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// A box around each face.
    case boxes
    /// The directions of the head's axes: red to the image's right, green down, blue ahead.
    case axes
    /// Outlines and points of each face's parts.
    case landmarks
    /// All of these.
    case all
}

extension FaceOverlay {
    /// Whether `FaceObservation.landmarks` are needed.
    public var needsLandmarks: Bool { self == .landmarks || self == .all }

    /// Draws faces into the image that they were found in, in its own format.
    ///
    /// - Parameters:
    ///   - faces: the faces.
    ///   - image: the image that is drawn into.
    ///   - orientation: orientation of the image when the faces were found.
    public func draw(
        _ faces: [FaceObservation], on image: MutableImageView, orientation: ImageOrientation = .up
    ) {
        for face in faces {
            let outline = FaceOutline(
                box: face.boundingBox, nose: face.mesh.count > 4 ? face.mesh[4].position : nil,
                roll: face.roll, yaw: face.yaw, pitch: face.pitch, anglesAreReliable: face.anglesAreReliable)
            draw(outline, on: image, orientation: orientation) { region, index in
                face.landmarks.map { $0.points[FaceLandmarks.indices(of: region)[index]] }
            }
        }
    }

    /// Draws one face; allocates nothing.
    ///
    /// - Parameter landmark: returns the known points by their place in a region.
    package func draw(
        _ face: FaceOutline, on image: MutableImageView, orientation: ImageOrientation,
        landmark: (FaceLandmarks.Region, Int) -> FaceLandmark?
    ) {
        guard self != .none else { return }
        let pen = FacePen(image, orientation)
        if self == .boxes || self == .all { pen.drawBox(of: face) }
        if needsLandmarks { pen.drawLandmarks(landmark, of: face) }
        if self == .axes || self == .all { pen.drawAxes(of: face) }
    }
}

/// The parts of a face that are drawn, besides its landmarks.
package struct FaceOutline {
    let box: Rectangle
    /// The tip of the nose, normalised; nil where only the box is known.
    let nose: Point?
    let rotation: Rotation
    let anglesAreReliable: Bool

    /// Creates an outline with angles in radians, as in `FaceObservation`.
    package init(
        box: Rectangle, nose: Point?, roll: Double, yaw: Double, pitch: Double, anglesAreReliable: Bool
    ) {
        (self.box, self.nose) = (box, nose)
        rotation = Rotation(roll: roll, yaw: yaw, pitch: pitch)
        self.anglesAreReliable = anglesAreReliable
    }
}

/// Draws the parts of one overlay.
private struct FacePen {
    private let pen: OverlayPen
    private let upright: Size
    private let toStored: FrameTransform

    init(_ image: MutableImageView, _ orientation: ImageOrientation) {
        pen = OverlayPen(image)
        upright = orientation.uprightSize(of: pen.size)
        toStored = .orientation(orientation)
    }

    func drawBox(of face: FaceOutline) { pen.draw(face.box, color: .yellow) }
}

// MARK: - Axes

extension FacePen {
    /// Draws the axes; in grey where the angles are unreliable.
    func drawAxes(of face: FaceOutline) {
        let rotation = face.rotation
        let colors: (RGBColor, RGBColor, RGBColor) =
            face.anglesAreReliable ? (.red, .green, .blue) : (.grey, .grey, .grey)
        draw(rotation.x, of: face, colors.0)
        draw(rotation.y * -1, of: face, colors.1)
        draw(rotation.z, of: face, colors.2)
    }

    /// Draws one axis.
    ///
    /// - Parameter axis: x right, y up, as the viewer of the upright image sees it.
    private func draw(_ axis: SIMD3<Double>, of face: FaceOutline, _ color: RGBColor) {
        let box = face.box
        let length = 0.35 * (box.width * pen.size.width + box.height * pen.size.height)
        let (dx, dy) = (axis.x * length / upright.width, -axis.y * length / upright.height)
        let start = face.nose ?? box.center
        let end = Point(
            x: start.x + toStored.xx * dx + toStored.xy * dy,
            y: start.y + toStored.yx * dx + toStored.yy * dy)
        pen.line(from: start, to: end, width: 1.6 * pen.width, color: color)
    }
}

// MARK: - Landmarks

extension FacePen {
    /// Minimum confidence of points that are drawn, 0...1.
    private static let minimumConfidence = 0.2

    /// All regions except the one that passes through points of other regions.
    private static let drawn = FaceLandmarks.Region.allCases.filter { $0 != .medianLine }

    func drawLandmarks(
        _ landmark: (FaceLandmarks.Region, Int) -> FaceLandmark?, of face: FaceOutline
    ) {
        // On small faces, thick outlines would cover everything else.
        let fine = min(pen.width, max(1, face.box.height * pen.size.height / 80))
        for region in Self.drawn { drawOutline(of: region, landmark, fine) }
        for region in Self.drawn {
            for index in FaceLandmarks.indices(of: region).indices {
                guard let point = landmark(region, index), point.confidence >= Self.minimumConfidence else {
                    continue
                }
                pen.disc(point.position, radius: fine, color: .white)
            }
        }
    }

    private func drawOutline(
        of region: FaceLandmarks.Region, _ landmark: (FaceLandmarks.Region, Int) -> FaceLandmark?,
        _ width: Double
    ) {
        let count = FaceLandmarks.indices(of: region).count
        guard count > 1 else { return }
        var last = region.isClosed ? landmark(region, count - 1) : nil
        for index in 0..<count {
            let next = landmark(region, index)
            if let last, let next, min(last.confidence, next.confidence) >= Self.minimumConfidence {
                pen.line(from: last.position, to: next.position, width: width, color: .cyan)
            }
            last = next
        }
    }
}
