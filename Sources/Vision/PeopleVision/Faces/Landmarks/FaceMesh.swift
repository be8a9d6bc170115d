import Glibc
import Imaging

/// The points of a face in an upright frame: x right, y down, z away from the camera, all in pixels.
///
/// The order is that of MediaPipe's face mesh; z is relative to a place in the middle of the head.
struct FaceMesh {
    /// Number of points that every model has; irises follow in some.
    static let pointCount = 468

    private(set) var points: [SIMD3<Double>] = []
}

extension FaceMesh {
    /// Reads a model's output.
    ///
    /// - Returns: false, with nothing changed, when a value is not finite.
    mutating func read(
        _ values: UnsafeBufferPointer<Float>, count: Int, crop: RotatedSquare, scale: (x: Double, y: Double)
    ) -> Bool {
        guard values.count >= 3 * count, (0..<3 * count).allSatisfy({ values[$0].isFinite }) else {
            return false
        }
        let (cosine, sine) = (cos(crop.angle) * crop.side, sin(crop.angle) * crop.side)
        points.removeAll(keepingCapacity: true)
        for index in 0..<count {
            let x = Double(values[3 * index]) * scale.x - 0.5
            let y = Double(values[3 * index + 1]) * scale.y - 0.5
            points.append(
                SIMD3(
                    crop.center.x + cosine * x - sine * y, crop.center.y + sine * x + cosine * y,
                    Double(values[3 * index + 2]) * scale.x * crop.side))
        }
        return true
    }

    /// Copies another mesh's points into memory of its own.
    mutating func copy(_ other: FaceMesh) {
        points.removeAll(keepingCapacity: true)
        points.append(contentsOf: other.points)
    }

    /// Returns the square around the points, rotated with the face and enlarged.
    func crop(scale: Double) -> RotatedSquare {
        let angle = angle
        let (cosine, sine) = (cos(angle), sin(angle))
        var low = SIMD2(repeating: Double.infinity)
        var high = SIMD2(repeating: -Double.infinity)
        for point in points {
            let rotated = SIMD2(cosine * point.x + sine * point.y, cosine * point.y - sine * point.x)
            low.replace(with: rotated, where: rotated .< low)
            high.replace(with: rotated, where: rotated .> high)
        }
        let (middle, size) = ((low + high) / 2, high - low)
        return RotatedSquare(
            center: Point(x: cosine * middle.x - sine * middle.y, y: sine * middle.x + cosine * middle.y),
            side: size.max() * scale, angle: angle)
    }

    /// Rotation of the face in the image, clockwise on a screen.
    var angle: Double {
        guard points.count >= Self.pointCount else { return .nan }
        return FaceAxes.angle(
            rightEye: position(33), leftEye: position(263), top: position(10), bottom: position(152))
    }

    /// The upright box around the points.
    var box: Rectangle {
        var low = SIMD2(repeating: Double.infinity)
        var high = SIMD2(repeating: -Double.infinity)
        for point in points {
            let flat = SIMD2(point.x, point.y)
            low.replace(with: flat, where: flat .< low)
            high.replace(with: flat, where: flat .> high)
        }
        return Rectangle(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    private func position(_ index: Int) -> Point { Point(x: points[index].x, y: points[index].y) }
}

/// Computes the rotation of a face in the image.
enum FaceAxes {
    /// Returns the angle, clockwise on a screen, from the line between the eyes and the line down the face.
    ///
    /// Both lines are added as vectors, so that the longer one has more weight: in a profile the eyes are
    /// close together, and the angle of the line between them is inaccurate.
    static func angle(rightEye: Point, leftEye: Point, top: Point, bottom: Point) -> Double {
        let (across, down) = (leftEye - rightEye, bottom - top)
        return atan2(across.y - down.x, across.x + down.y)
    }
}

/// Finds the points of a face in a crop.
final class FaceLandmarker {
    /// Number of points per face.
    let pointCount: Int
    private let model: ImageModel
    private let cropScale: Double

    /// Side of a crop around known points, as a share of their extent.
    ///
    /// The manifest's scale is for a detector's box, which is smaller.
    private static let meshScale = 1.4
    /// The model of MediaPipe's face landmarker: 478 points, irises included.
    static let fullName = "face_landmarks_detector"
    /// The model of MediaPipe's face mesh, a quarter of the cost: 468 points.
    static let liteName = "face_landmark"

    init(_ name: String, filter: TensorSampler.Filter = .area, _ setup: ModelSetup) throws(VisionError) {
        model = try ImageModel(name, filter: filter, setup)
        let facts = model.info.facts["landmarks"]
        guard let count = facts?["count"]?.integer, count >= FaceMesh.pointCount, count <= 10000,
            let scale = facts?["crop"]?["scale"]?.number, scale >= 1
        else { throw model.unsupported("its description does not say how its outputs are read") }
        pointCount = count
        cropScale = scale
        _ = try model.output(0, count: 3 * count)
        _ = try model.output(1, count: 1)
    }

    /// The cost of finding the points of a face.
    var work: FrameBudget.Work { model.info.name == Self.liteName ? .liteLandmarks : .landmarks }

    /// Returns the crop in which to find the points of a detected face.
    func crop(of face: FaceDetection) -> RotatedSquare {
        RotatedSquare(center: face.center, side: face.side * cropScale, angle: face.angle)
    }

    /// Returns the crop for a face whose points are known.
    func crop(of mesh: FaceMesh) -> RotatedSquare { mesh.crop(scale: Self.meshScale) }

    /// Finds the points of the face in `crop`.
    ///
    /// - Returns: the model's certainty that there is a face, 0...1; `mesh` is unchanged when that is 0.
    func find(in frame: UprightFrame, _ crop: RotatedSquare, into mesh: inout FaceMesh) throws(VisionError)
        -> Double
    {
        guard crop.isUsable else { return 0 }
        try model.run(on: frame.image, region: frame.region(of: crop))
        let values = try model.output(0, count: 3 * pointCount)
        let presence = 1 / (1 + exp(-Double(try model.output(1, count: 1)[0])))
        let scale = (x: 1 / Double(model.width), y: 1 / Double(model.height))
        guard mesh.read(values, count: pointCount, crop: crop, scale: scale), presence.isFinite else {
            return 0
        }
        return presence
    }
}
