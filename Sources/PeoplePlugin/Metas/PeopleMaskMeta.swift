import GStreamerKit
import Imaging
import PeopleVision

/// The `GstPeopleMask` metadata: who is where, for the frame that carries it.
///
/// Field names and units are API; docs/metadata.md lists them.
struct PeopleMaskMeta {
    static let kind = CustomMeta("GstPeopleMask")
    /// Of regions of interest.
    private static let region: StaticString = "person"

    /// Size and sample format of the mask.
    var layout: MaskLayout
    /// Bytes from one row of the mask to the next.
    var stride: Int
    /// The quality level that made it.
    var quality: GeneratePersonSegmentationRequest.QualityLevel
    /// The revision that made it.
    var revision: Int
    /// How the stored picture must be turned to be upright.
    var orientation: ImageOrientation
    /// Time since the frame from which the mask was made, in nanoseconds: 0 when that is this very frame.
    var age: UInt64 = 0
    /// From one new mask to the next, in nanoseconds.
    var interval: UInt64 = 0
    /// The people one by one; nil where they were not told apart.
    var people: People?

    /// The people of a frame one by one.
    struct People {
        /// In the order of their labels.
        var instances: [PersonInstance]
        /// The label that the others share.
        var crowdLabel: Int?
        /// All, those without a label included.
        var count: Int
    }
}

// MARK: - Writing

extension PeopleMaskMeta {
    /// Attaches the masks that `buffers` keeps to `frame`; false when GStreamer refuses.
    func attach(_ buffers: MaskBuffers, to frame: borrowing VideoFrame) -> Bool {
        // The regions of another analyser's instances give way with them.
        if frame.read(Self.kind)?.has("instances") == true { frame.removeRegions(Self.region) }
        guard let fields = frame.attach(Self.kind) else { return false }
        buffers.mask.write(to: fields, as: "mask")
        fields.set("width", layout.width)
        fields.set("height", layout.height)
        fields.set("stride", stride)
        fields.set("format", layout.format.rawValue)
        fields.set(analysisOf: frame, orientation, revision: revision)
        fields.set("quality", quality.rawValue)
        fields.set("age", nanoseconds: age)
        fields.set("interval", nanoseconds: interval)
        if let time = frame.presentationTime { fields.set("timestamp", nanoseconds: time) }
        if let people { write(people, buffers, to: fields) }
        for person in people?.instances ?? [] {
            frame.attachRegion(
                Self.region, box: person.boundingBox, confidence: person.confidence, id: person.id)
        }
        return true
    }

    private func write(_ people: People, _ buffers: MaskBuffers, to fields: StructureWriter) {
        buffers.labels.write(to: fields, as: "labels")
        fields.set("labels-stride", layout.width)
        fields.set("crowd-label", people.crowdLabel ?? 0)
        fields.set("people", people.count)
        fields.set("instances", list: "instance", count: people.instances.count) { index, fields in
            let person = people.instances[index]
            fields.set(id: person.id, box: person.boundingBox, confidence: person.confidence)
            fields.set("label", person.label)
            buffers.part(person.label).write(to: fields, as: "mask")
        }
    }
}
