import GStreamerKit
import Imaging
public import PeopleVision

/// Finds faces and attaches them to each frame as `GstPeopleFaces`, with their directions.
///
///     gst-launch-1.0 -m v4l2src ! facepose post-messages=true ! autovideosink
final class FacePoseElement: TrackingElement<FacePoseSettings> {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "facepose", typeName: "GstFacePose", longName: "Face pose",
            klass: "Filter/Analyzer/Video",
            description: "Attaches the faces of each frame, with boxes, roll, yaw and pitch (GstPeopleFaces)")
    }
}

/// The settings of `facepose`.
struct FacePoseSettings: TrackingSettings {
    typealias Request = DetectFaceRectanglesRequest

    var request = FaceRequest.Configuration()
    var overlay = FaceOverlay.none
    var postsMessages = false

    static var properties: [Property<Self>] {
        [
            .count(
                "max-faces", "Maximum number of faces", in: FaceRequest.Configuration.possibleCounts,
                \.request.maximumFaces),
            .double(
                "field-of-view",
                "Vertical field of view of the camera, in degrees of the upright frame "
                    + "(0 = unknown; 40 degrees along the longer side are assumed)", in: 0...150,
                as: .degrees,
                \.request.verticalFieldOfView),
            .bool(
                "landmarks", "Adds 76 landmarks in named regions to each face",
                \.request.attributes[.landmarks]),
            .bool("mesh", "Adds the 478 points of the face mesh to each face", \.request.attributes[.irises]),
            .bool(
                "capture-quality",
                "Adds a capture quality from 0 to 1 to each face, to choose the best frame of one person",
                \.request.attributes[.captureQuality]),
            .choice("draw", "What to draw into the frame", \.overlay),
        ]
            + trackingProperties(
                of: "facepose", "Faces",
                search:
                    "Maximum stream time between two searches for large faces, in milliseconds; ten times as long for small "
                    + "faces, sixty times for rotated ones (0 = search only the first frame) (Since: 0.2.0)"
            )
    }

    var drawsOnFrames: Bool { overlay != .none }

    var completeRequest: FaceRequest.Configuration {
        var complete = request
        if overlay.needsLandmarks { complete.attributes.insert(.landmarks) }
        return complete
    }

    func meta(_ found: [FaceObservation], _ orientation: ImageOrientation) -> PeopleFacesMeta {
        PeopleFacesMeta(
            findings: found, revision: request.revision, orientation: orientation,
            attributes: request.attributes)
    }

    func draw(_ found: [FaceObservation], on image: MutableImageView, _ orientation: ImageOrientation) {
        overlay.draw(found, on: image, orientation: orientation)
    }
}

extension DetectFaceRectanglesRequest: StreamRequest { typealias Finding = FaceObservation }
