import GStreamerKit
import Imaging
public import PeopleVision

/// Finds people and attaches them to each frame as `GstPeopleBodies`, with the joints of their bodies.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! bodypose draw=all ! videoconvert ! autovideosink
final class BodyPoseElement: TrackingElement<BodyPoseSettings> {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "bodypose", typeName: "GstBodyPose", longName: "Body pose",
            klass: "Filter/Analyzer/Video",
            description: "Attaches the people of each frame, with boxes and body joints (GstPeopleBodies)")
    }
}

/// The settings of `bodypose`.
struct BodyPoseSettings: TrackingSettings {
    typealias Request = DetectHumanBodyPoseRequest

    var request = BodyRequest.Configuration()
    var overlay = BodyOverlay.none
    var postsMessages = false

    static var properties: [Property<Self>] {
        [
            .count(
                "max-people", "Maximum number of people; the largest are kept",
                in: BodyRequest.Configuration.possibleCounts,
                \.request.maximumPeople),
            .bool(
                "upper-body-only",
                "Boxes and regions of interest cover only the upper body: head, arms, and trunk down to the hips",
                \.request.upperBodyOnly),
            .bool("pose-3d", "Adds 17 joints in metres to each person", \.request.attributes[.pose3D]),
            .double(
                "field-of-view",
                "Vertical field of view of the camera, in degrees of the upright frame "
                    + "(0 = unknown; 40 degrees along the longer side are assumed)", in: 0...150,
                as: .degrees,
                \.request.verticalFieldOfView),
            .double(
                "body-height",
                "Height in metres that people are assumed to have in space, unless a depth map tells it",
                in: 0.3...2.5, \.request.bodyHeight),
            .double(
                "smoothing", "Temporal smoothing of the joints (0 = off, 1 = maximum)", in: 0...1,
                \.request.smoothing),
            .choice("draw", "What to draw into the frame", \.overlay),
        ]
            + trackingProperties(
                of: "bodypose", "People",
                search:
                    "Stream time between two searches for people, in milliseconds (0 = search only the first frame)"
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

extension DetectHumanBodyPoseRequest: StreamRequest { typealias Finding = HumanBodyPoseObservation }
