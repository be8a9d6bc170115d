import GStreamerKit
import Imaging
import PeopleSettings
import PeopleVision

/// Draws the faces, bodies and hands in the metadata of frames.
///
/// Used after `blendmask`, for example, which would hide the analysers' own drawings.
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

    private let settings = SettingsBox<PoseOverlaySettings>()
    override class var settingsType: any ElementSettings.Type { PoseOverlaySettings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    /// Ids of the people who are drawn (empty for all people), and the text that the ids were read from.
    private var (chosen, source): ([Int], String?) = ([], nil)

    // MARK: - Life cycle

    override func start() throws(ElementError) { try choose(settings.current.people) }

    private func choose(_ people: String?) throws(ElementError) {
        guard people != source else { return }
        // A malformed text is reported once, and the previous ids stay.
        source = people
        do throws(MalformedProperty) {
            chosen = try PeopleIDs.read(people, of: "people")
        } catch { throw ElementError(error) }
    }

    // MARK: - Frames

    override var drawsOnFrames: Bool { settings.current.drawsAnything }

    override func process(_ frame: borrowing VideoFrame) throws(ElementError) {
        guard let image = frame.mutableImage else { return }
        let settings = settings.current
        do throws(ElementError) { try choose(settings.people) } catch { post(warning: error) }
        let isChosen = { [chosen] (entry: StructureReader) in
            chosen.isEmpty || entry.person.map(chosen.contains) ?? false
        }
        PeopleFacesMeta.draw(settings.faces, from: frame, on: image, where: isChosen)
        PeopleBodiesMeta.draw(settings.bodies, from: frame, on: image, where: isChosen)
        PeopleHandsMeta.draw(settings.hands, from: frame, on: image, where: isChosen)
    }
}
