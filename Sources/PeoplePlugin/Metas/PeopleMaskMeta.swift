import GStreamerKit
import Imaging
import PeopleVision

/// The `GstPeopleMask` metadata: who or what is where, for the frame that carries it.
///
/// Field names and units are API; docs/metadata.md lists them.
struct PeopleMaskMeta {
    static let kind = CustomMeta("GstPeopleMask")
    /// What masks are of; people are found as people, other subjects have no class.
    enum Subject {
        case people, anything

        /// What the masks of such fields are of.
        init(of fields: StructureReader) { self = fields.has(Self.anything.count) ? .anything : .people }

        /// The type of their regions of interest.
        var region: StaticString {
            switch self {
            case .people: "person"
            case .anything: "subject"
            }
        }

        /// The field that says how many there are.
        fileprivate var count: StaticString {
            switch self {
            case .people: "people"
            case .anything: "subjects"
            }
        }
    }

    /// What the mask is of.
    var subject: Subject
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
    /// Nanoseconds since the frame from which the mask has moved along with the picture; 0 where it was made of the frame
    /// that `age` tells.
    var motionAge: UInt64 = 0
    /// From one new mask to the next, in nanoseconds.
    var interval: UInt64 = 0
    /// The instances one by one; nil where they were not told apart.
    var parts: Parts?

    /// The people or subjects of a frame one by one.
    struct Parts {
        /// In the order of their labels.
        var instances: [MaskInstance]
        /// The label that the others share.
        var crowdLabel: Int?
        /// All, those without a label included.
        var count: Int
    }
}

// MARK: - Writing

extension PeopleMaskMeta {
    /// Attaches the masks that `buffers` keeps to `frame`; false when GStreamer refuses.
    func attach(
        _ buffers: MaskBuffers, to frame: borrowing VideoFrame, _ tracks: RegionTracks
    ) -> Bool {
        // The regions of another analyser's instances give way with them.
        if let last = frame.read(Self.kind), last.has("instances") {
            frame.removeRegions(Subject(of: last).region)
        }
        guard let fields = frame.attach(Self.kind) else { return false }
        buffers.mask.write(to: fields, as: "mask")
        fields.set("width", layout.width)
        fields.set("height", layout.height)
        fields.set("stride", stride)
        fields.set("format", layout.format.rawValue)
        fields.set(analysisOf: frame, orientation, revision: revision)
        fields.set("quality", quality.rawValue)
        fields.set("age", nanoseconds: age)
        fields.set("motion-age", nanoseconds: motionAge)
        fields.set("interval", nanoseconds: interval)
        if let time = frame.presentationTime { fields.set("timestamp", nanoseconds: time) }
        if let parts {
            write(parts, buffers, to: fields)
            let highest = max(parts.instances.last?.label ?? 0, parts.crowdLabel ?? 0)
            frame.attachSegmentation(buffers.labels, highest: highest)
        }
        for found in parts?.instances ?? [] {
            frame.attachRegion(
                subject.region, box: found.boundingBox, confidence: found.confidence, id: found.id, in: tracks
            )
        }
        return true
    }

    private func write(_ parts: Parts, _ buffers: MaskBuffers, to fields: StructureWriter) {
        buffers.labels.write(to: fields, as: "labels")
        fields.set("labels-stride", layout.width)
        fields.set("crowd-label", parts.crowdLabel ?? 0)
        fields.set(subject.count, parts.count)
        fields.set("instances", list: "instance", count: parts.instances.count) { index, fields in
            let found = parts.instances[index]
            fields.set(id: found.id, box: found.boundingBox, confidence: found.confidence)
            fields.set("label", found.label)
            buffers.part(found.label).write(to: fields, as: "mask")
        }
    }
}
