/// Finds faces and the outlines of their parts, `FaceObservation.landmarks`: 76 points in named regions.
public final class DetectFaceLandmarksRequest: DetectFaceRectanglesRequest {
    /// A request for the landmarks of single pictures.
    public override init() {
        super.init()
        findsLandmarks = true
    }
}
