import Glibc
public import Imaging

/// What is drawn of faces.
public enum FaceOverlay: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// A box around each face.
    case boxes
    /// Where the head's axes point: red to the image's right, green down, blue ahead.
    case axes
    /// Outlines and points of each face's parts.
    case landmarks
    /// All of these.
    case all
}

extension FaceOverlay {
    /// Whether `FaceObservation.landmarks` are needed.
    public var needsLandmarks: Bool { self == .landmarks || self == .all }

    /// Draws `faces` into the picture that they were found in, in its own format.
    ///
    /// - Parameter orientation: that of the picture, as when the faces were found.
    public func draw(
        _ faces: [FaceObservation], on image: MutableImageView, orientation: ImageOrientation = .up
    ) {
        guard self != .none else { return }
        let pen = FacePen(image, orientation)
        for face in faces {
            if self == .boxes || self == .all { pen.drawBox(of: face) }
            if needsLandmarks, let landmarks = face.landmarks { pen.draw(landmarks, of: face) }
            if self == .axes || self == .all { pen.drawAxes(of: face) }
        }
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

    func drawBox(of face: FaceObservation) { pen.draw(face.boundingBox, color: .yellow) }
}

// MARK: - Axes

extension FacePen {
    /// Grey where the angles are a guess.
    func drawAxes(of face: FaceObservation) {
        let rotation = Rotation(roll: face.roll, yaw: face.yaw, pitch: face.pitch)
        let colors: (RGBColor, RGBColor, RGBColor) =
            face.anglesAreReliable ? (.red, .green, .blue) : (.grey, .grey, .grey)
        draw(rotation.x, of: face, colors.0)
        draw(rotation.y * -1, of: face, colors.1)
        draw(rotation.z, of: face, colors.2)
    }

    /// - Parameter axis: x right, y up, as the viewer of the upright picture sees it.
    private func draw(_ axis: SIMD3<Double>, of face: FaceObservation, _ color: RGBColor) {
        let box = face.boundingBox
        let length = 0.35 * (box.width * pen.size.width + box.height * pen.size.height)
        let (dx, dy) = (axis.x * length / upright.width, -axis.y * length / upright.height)
        let start = face.mesh.count > 4 ? face.mesh[4].position : box.center
        let end = Point(
            x: start.x + toStored.xx * dx + toStored.xy * dy,
            y: start.y + toStored.yx * dx + toStored.yy * dy)
        pen.line(from: start, to: end, width: 1.6 * pen.width, color: color)
    }
}

// MARK: - Landmarks

extension FacePen {
    /// Points of less confidence, 0...1, are left out.
    private static let leastConfidence = 0.2

    func draw(_ landmarks: FaceLandmarks, of face: FaceObservation) {
        // Small faces would drown in their outlines.
        let fine = min(pen.width, max(1, face.boundingBox.height * pen.size.height / 80))
        for region in FaceLandmarks.Region.allCases where region != .medianLine {
            outline(region, of: landmarks, fine)
        }
        for landmark in landmarks.points where landmark.confidence >= Self.leastConfidence {
            pen.disc(landmark.position, radius: fine, color: .white)
        }
    }

    private func outline(_ region: FaceLandmarks.Region, of landmarks: FaceLandmarks, _ width: Double) {
        let indices = FaceLandmarks.indices(of: region)
        guard indices.count > 1, let end = indices.last else { return }
        var last: FaceLandmark? = region.isClosed ? landmarks.points[end] : nil
        for index in indices {
            let landmark = landmarks.points[index]
            if let last, min(last.confidence, landmark.confidence) >= Self.leastConfidence {
                pen.line(from: last.position, to: landmark.position, width: width, color: .cyan)
            }
            last = landmark
        }
    }
}
