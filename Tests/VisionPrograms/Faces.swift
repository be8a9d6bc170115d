import Foundation
import Vision

/// The best shot of a burst: the photo whose largest face was captured best.
func bestShot(of urls: [URL]) async throws -> (url: URL, score: Float)? {
    var best: (url: URL, score: Float)?
    let request = DetectFaceCaptureQualityRequest()
    for url in urls {
        let faces: [FaceObservation] = try await request.perform(on: url)
        let largest = faces.max {
            $0.boundingBox.width * $0.boundingBox.height < $1.boundingBox.width * $1.boundingBox.height
        }
        guard let quality = largest?.captureQuality else { continue }
        if quality.score > best?.score ?? 0 { best = (url, quality.score) }
    }
    return best
}

/// An outline to draw, in a view of a size.
struct Outline {
    let points: [CGPoint]
    let isClosed: Bool
}

/// Outlines of eyes and lips, with the angles of the head in degrees.
func outlines(in url: URL, view size: CGSize) async throws -> [UUID: [Outline]] {
    var request = DetectFaceLandmarksRequest()
    request.inputFaceObservations = try await DetectFaceRectanglesRequest().perform(on: url)
    var drawn: [UUID: [Outline]] = [:]
    for face in try await request.perform(on: url) {
        guard let landmarks = face.landmarks, face.confidence > 0.5 else { continue }
        let regions = [landmarks.leftEye, landmarks.rightEye, landmarks.outerLips, landmarks.faceContour]
        drawn[face.uuid] = regions.map { region in
            Outline(
                points: region.pointsInImageCoordinates(size, origin: .upperLeft),
                isClosed: region.pointsClassification == .closedPath)
        }
        let box: CGRect = face.boundingBox.toImageCoordinates(size, origin: .upperLeft)
        let turn = face.yaw.converted(to: .degrees).value
        let nod = face.pitch.converted(to: .degrees)
        let pupil: NormalizedPoint? = landmarks.leftPupil.points.first
        print(
            box, turn, nod.value, face.roll.formatted(), pupil?.cgPoint ?? .zero,
            landmarks.allPoints.points.count)
    }
    return drawn
}
