import GStreamerKit
import Imaging
import PeopleVision

/// Finds faces and attaches them to each frame as `GstPeopleFaces`, with where they look.
///
///     gst-launch-1.0 -m v4l2src ! facepose post-messages=true ! autovideosink
final class FacePoseElement: TrackingElement<FacePoseSettings> {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "facepose", typeName: "GstFacePose", longName: "Face pose",
            klass: "Filter/Analyzer/Video",
            description: "Attaches faces with their roll, yaw and pitch to each frame (GstPeopleFaces)")
    }
}

/// The settings of `facepose`.
struct FacePoseSettings: TrackingSettings {
    typealias Request = DetectFaceRectanglesRequest

    var request = FaceConfiguration()
    var overlay = FaceOverlay.none
    var postsMessages = false

    static var properties: [Property<Self>] {
        [
            .count(
                "max-faces", "Maximum number of faces", in: FaceConfiguration.possibleCounts,
                \.request.maximumFaces),
            .double(
                "field-of-view",
                "The camera's angle of view in degrees from the upright frame's upper to its lower edge, "
                    + "0 for unknown: 40 along the longer side", in: 0...150, as: .degrees,
                \.request.verticalFieldOfView, .whilePlaying),
            .bool(
                "landmarks", "Adds 76 points in named regions to each face", \.request.attributes[.landmarks]),
            .bool("mesh", "Adds the 478 points of the face mesh to each face", \.request.attributes[.irises]),
            .bool(
                "capture-quality", "Adds how well each face was captured, for the best of a burst",
                \.request.attributes[.captureQuality]),
            .choice("draw", "What to draw into the frame", \.overlay),
        ]
            + trackingProperties(
                of: "facepose", "Faces",
                search:
                    "Maximum time in milliseconds of the stream until a large new face is searched for; ten times "
                    + "as long for small ones, sixty times for turned ones; 0 searches the first frame only (Since: 0.2.0)"
            )
    }

    var drawsOnFrames: Bool { overlay != .none }

    var completeRequest: FaceConfiguration {
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
