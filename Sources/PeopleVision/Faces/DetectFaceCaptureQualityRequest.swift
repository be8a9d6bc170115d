/// Finds faces and how well each was captured, `FaceObservation.captureQuality`.
///
/// The quality falls with blur, noise, bad light, a small or turned or hidden face, shut eyes and an open mouth.
/// It compares pictures of one person, for the best of a burst; between people it means nothing.
public final class DetectFaceCaptureQualityRequest: DetectFaceRectanglesRequest {
    /// A request for the capture quality of single pictures.
    public override init() {
        super.init()
        ratesCaptureQuality = true
    }
}
