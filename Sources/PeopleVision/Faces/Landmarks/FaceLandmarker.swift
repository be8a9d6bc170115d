import Glibc
import Imaging
import Inference

/// Finds the points of one face in a crop.
final class FaceLandmarker {
    /// Points per face.
    let pointCount: Int
    private let model: CropModel
    private let cropScale: Double

    init(_ info: ModelInfo, _ setup: FaceModels.Setup) throws(VisionError) {
        model = try CropModel(info, setup, border: .replicate)
        guard let count = info.facts["landmarks"]?["count"]?.integer, count >= FaceMesh.pointCount,
            count <= 10000, let scale = info.facts["landmarks"]?["crop"]?["scale"]?.number, scale >= 1
        else { throw model.unsupported("its description does not say how its outputs are read") }
        pointCount = count
        cropScale = scale
        _ = try model.output(0, count: 3 * count)
        _ = try model.output(1, count: 1)
    }

    /// Where to look for the points of a detected face.
    func crop(of face: FaceDetection) -> FaceCrop {
        FaceCrop(center: face.center, side: face.side * cropScale, angle: face.angle)
    }

    /// Where to look for a face whose points are known.
    func crop(of mesh: FaceMesh) -> FaceCrop { mesh.crop(scale: 1.4) }

    /// Finds the points of the face in `crop`.
    ///
    /// - Returns: how sure the model is that there is a face, 0...1; `mesh` is unchanged when that is 0.
    func find(in frame: UprightFrame, _ crop: FaceCrop, into mesh: inout FaceMesh) throws(VisionError)
        -> Double
    {
        guard crop.isUsable, let width = model.info.input.width, let height = model.info.input.height else {
            return 0
        }
        try model.run(frame, crop)
        let values = try model.output(0, count: 3 * pointCount)
        let presence = 1 / (1 + exp(-Double(try model.output(1, count: 1)[0])))
        let scale = (x: 1 / Double(width), y: 1 / Double(height))
        guard mesh.read(values, count: pointCount, crop: crop, scale: scale), presence.isFinite else {
            return 0
        }
        return presence
    }
}
