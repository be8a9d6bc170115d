import GStreamerKit
import PeopleSettings

/// Finds subjects of any kind, people among them, and attaches them to each frame as a `GstPeopleMask` with instances.
///
///     gst-launch-1.0 filesrc location=dog.jpg ! decodebin ! videoconvert ! subjectsegment quality=accurate ! blendmask background-source=transparent ! pngenc snapshot=true ! filesink location=dog.png
final class SubjectSegmentElement: MaskElement<SubjectSegmentSettings> {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "subjectsegment", typeName: "GstSubjectSegment", longName: "Subject segmentation",
            klass: "Filter/Analyzer/Video",
            description: "Attaches soft masks of the main subjects of any kind to each frame (GstPeopleMask)"
        )
    }
}

extension SubjectSegmentSettings: AttachedMaskSettings {
    static let subject = PeopleMaskMeta.Subject.anything
}
