import GStreamerKit
import PeopleSettings

/// Finds people and attaches them to each frame as a `GstPeopleMask`; the image itself stays as it is.
///
///     gst-launch-1.0 v4l2src ! personsegment quality=fast ! blendmask background=forest.jpg ! autovideosink
final class PersonSegmentElement: MaskElement<PersonSegmentSettings> {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "personsegment", typeName: "GstPersonSegment", longName: "Person segmentation",
            klass: "Filter/Analyzer/Video",
            description: "Attaches a soft mask of the people to each frame (GstPeopleMask)")
    }
}

extension PersonSegmentSettings: AttachedMaskSettings {
    static let subject = PeopleMaskMeta.Subject.people
}
