import GStreamerKit

/// Finds people and replaces their background: `personsegment` and `blendmask` as one element, for programs that take
/// one effect at a time.
///
///     gst-launch-1.0 v4l2src ! personbackground quality=fast background=forest.jpg ! autovideosink
final class PersonBackgroundElement: BinElement {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "personbackground", typeName: "GstPersonBackground", longName: "Person background",
            klass: "Filter/Effect/Video", description: "Replaces, blurs or removes the background of people")
    }

    override class var parts: [Part] {
        [
            // The masks stay between both elements.
            Part(PersonSegmentElement.self, named: "segment", hiding: ["mask-format", "overflow"]),
            Part(
                BlendMaskElement.self, named: "blend",
                hiding: ["no-mask", "max-mask-age", "keep-mask", "silent-cover"]),
        ]
    }
}
