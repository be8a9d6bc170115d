import GStreamerKit
import Imaging
public import PeopleVision

/// Finds hands and attaches them to each frame as `GstPeopleHands`, with their joints and chirality.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! handpose draw=all ! videoconvert ! autovideosink
final class HandPoseElement: TrackingElement<HandPoseSettings> {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "handpose", typeName: "GstHandPose", longName: "Hand pose",
            klass: "Filter/Analyzer/Video",
            description: "Attaches the hands of each frame, with boxes and joints (GstPeopleHands)")
    }
}

/// The settings of `handpose`.
struct HandPoseSettings: TrackingSettings {
    typealias Request = DetectHumanHandPoseRequest

    var request = DetectHumanHandPoseRequest.Configuration()
    var hasPose3D = false
    var overlay = HandOverlay.none
    var postsMessages = false

    static var properties: [Property<Self>] {
        [
            .count(
                "max-hands", "Maximum number of hands; the largest are kept",
                in: DetectHumanHandPoseRequest.Configuration.possibleCounts,
                \.request.maximumHandCount),
            .bool("pose-3d", "Adds the joints in metres to each hand", \.hasPose3D),
            .double(
                "smoothing", "Temporal smoothing of the joints (0 = off, 1 = maximum)", in: 0...1,
                \.request.smoothing),
            .choice("draw", "What to draw into the frame", \.overlay),
        ]
            + trackingProperties(
                of: "handpose", "Hands",
                search:
                    "Stream time between two searches for hands, in milliseconds (0 = search only the first frame)"
            )
    }

    var drawsOnFrames: Bool { overlay != .none }

    func meta(_ found: [HumanHandPoseObservation], _ orientation: ImageOrientation) -> PeopleHandsMeta {
        PeopleHandsMeta(
            findings: found, revision: request.revision, orientation: orientation, hasPose3D: hasPose3D)
    }

    func draw(
        _ found: [HumanHandPoseObservation], on image: MutableImageView, _ orientation: ImageOrientation
    ) {
        overlay.draw(found, on: image)
    }
}

extension DetectHumanHandPoseRequest: StreamRequest { typealias Finding = HumanHandPoseObservation }
