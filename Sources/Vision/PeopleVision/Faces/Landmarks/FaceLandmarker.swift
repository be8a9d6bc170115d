import Glibc
import Imaging

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
