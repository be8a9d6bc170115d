import GStreamerKit
import Imaging
import PeopleVision

/// Draws the faces, bodies and hands that frames carry: after `blendmask`, for example, where what the analysers draw
/// themselves would be hidden.
///
///     gst-launch-1.0 v4l2src ! personsegment ! bodypose ! blendmask background-source=color ! poseoverlay ! autovideosink
final class PoseOverlayElement: VideoElement {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "poseoverlay", typeName: "GstPoseOverlay", longName: "Pose overlay",
            klass: "Analyzer/Visualization/Video",
            description:
                "Draws the faces, bodies and hands that facepose, bodypose and handpose have attached")
    }

    // MARK: - Properties

    struct Settings: ElementSettings {
        var faces = FaceOverlay.all
        var bodies = BodyOverlay.skeleton
        var hands = HandOverlay.skeleton

        /// Whether any drawing is wanted.
        var drawsAnything: Bool { faces != .none || bodies != .none || hands != .none }

        static var properties: [Property<Settings>] {
            [
                .choice("faces", "What to draw for each face (Since: 0.2.0)", \.faces, .whilePlaying),
                .choice("bodies", "What to draw for each person (Since: 0.2.0)", \.bodies, .whilePlaying),
                .choice("hands", "What to draw for each hand (Since: 0.2.0)", \.hands, .whilePlaying),
            ]
        }
    }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - Frames

    override var drawsOnFrames: Bool { settings.snapshot().drawsAnything }

    override func process(_ frame: borrowing VideoFrame) throws(ElementError) {
        guard let image = frame.mutableImage else { return }
        let settings = settings.snapshot()
        PeopleFacesMeta.draw(settings.faces, from: frame, on: image)
        PeopleBodiesMeta.draw(settings.bodies, from: frame, on: image)
        PeopleHandsMeta.draw(settings.hands, from: frame, on: image)
    }
}
