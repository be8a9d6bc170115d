import GStreamerKit
import Imaging
import PeopleVision

/// Finds people and attaches them to each frame as `GstPeopleBodies`, with the joints of their bodies.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! bodypose draw=all ! videoconvert ! autovideosink
final class BodyPoseElement: TrackingElement<BodyPoseSettings> {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "bodypose", typeName: "GstBodyPose", longName: "Body pose",
            klass: "Filter/Analyzer/Video",
            description: "Attaches people with the joints of their bodies to each frame (GstPeopleBodies)")
    }
}

/// The settings of `bodypose`.
struct BodyPoseSettings: TrackingSettings {
    typealias Request = DetectHumanBodyPoseRequest

    var request = BodyConfiguration()
    var overlay = BodyOverlay.none
    var postsMessages = false

    static var properties: [Property<Self>] {
        [
            .count(
                "max-people", "Maximum number of people; the largest are kept",
                in: BodyConfiguration.possibleCounts,
                \.request.maximumPeople),
            .bool(
                "upper-body-only",
                "Boxes and regions are those of the upper body: head, arms, and the trunk down to the hips",
                \.request.upperBodyOnly, .whilePlaying),
            .bool("pose-3d", "Adds 17 joints in metres to each person", \.request.attributes[.pose3D]),
            .double(
                "field-of-view",
                "The camera's angle of view in degrees from the upright frame's upper to its lower edge, "
                    + "0 for unknown: 40 along the longer side", in: 0...150, as: .degrees,
                \.request.verticalFieldOfView, .whilePlaying),
            .double(
                "smoothing", "Temporal smoothing of the joints; 0 is off", in: 0...1, \.request.smoothing,
                .whilePlaying),
            .choice("draw", "What to draw into the frame", \.overlay),
        ]
            + trackingProperties(
                of: "bodypose", "People",
                search:
                    "Milliseconds of the stream from one search for people to the next; 0 searches the first frame only"
            )
    }

    var drawsOnFrames: Bool { overlay != .none }

    func meta(_ found: [HumanBodyPoseObservation], _ orientation: ImageOrientation) -> PeopleBodiesMeta {
        PeopleBodiesMeta(findings: found, revision: request.revision, orientation: orientation)
    }

    func draw(
        _ found: [HumanBodyPoseObservation], on image: MutableImageView, _ orientation: ImageOrientation
    ) {
        overlay.draw(found, on: image)
    }
}
