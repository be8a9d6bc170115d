import Composer
import GStreamerKit
import Imaging
import PeopleSettings
import PeopleVision

/// The `GstPeopleMask` metadata: the mask of a frame's people or subjects.
///
/// Field names and units are API, listed in docs/metadata.md.
struct PeopleMaskMeta {
    static let kind = CustomMeta("GstPeopleMask")
    /// The kind of things that masks show; people are found as people, other subjects have no class.
    enum Subject {
        case people, anything

        /// Reads the kind of things that the masks of such fields show.
        init(of fields: StructureReader) { self = fields.has(Self.anything.count) ? .anything : .people }

        /// The type name of their regions of interest.
        var region: StaticString {
            switch self {
            case .people: "person"
            case .anything: "subject"
            }
        }

        /// The name of the field with their number.
        fileprivate var count: StaticString {
            switch self {
            case .people: "people"
            case .anything: "subjects"
            }
        }
    }

    /// The kind of things that the mask shows.
    var subject: Subject
    /// Size and sample format of the mask.
    var layout: MaskLayout
    /// Bytes from one row of the mask to the next.
    var stride: Int
    /// The quality level of the analysis.
    var quality: GeneratePersonSegmentationRequest.QualityLevel
    /// The revision of the analysis.
    var revision: Int
    /// Rotation and mirroring that make the stored image upright.
    var orientation: ImageOrientation
    /// Time since the frame that the mask was made of, in nanoseconds; 0 if that is this frame.
    var age: UInt64 = 0
    /// Time between this frame and the one from which the mask was propagated, in nanoseconds; 0 for a mask that was not.
    var motionAge: UInt64 = 0
    /// Time from one new mask to the next, in nanoseconds.
    var interval: UInt64 = 0
    /// The instance masks; nil if there is only one mask of all.
    var parts: Parts?

    /// The instance masks of a frame: of its people or subjects.
    struct Parts {
        /// The instances in the order of their labels.
        var instances: [MaskInstance]
        /// The label of all instances without a mask of their own.
        var crowdLabel: Int?
        /// Number of all instances, including those without a label.
        var count: Int
    }
}

// MARK: - Writing

extension PeopleMaskMeta {
    /// Attaches the masks in `buffers` to `frame`; false when GStreamer refuses.
    func attach(
        _ buffers: MaskBuffers, to frame: borrowing VideoFrame, _ tracks: RegionTracks
    ) -> Bool {
        // The regions of another analyser's instances are replaced with its mask.
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
            write(parts, buffers, to: fields, tracks)
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

    private func write(
        _ parts: Parts, _ buffers: MaskBuffers, to fields: StructureWriter, _ tracks: RegionTracks
    ) {
        buffers.labels.write(to: fields, as: "labels")
        fields.set("labels-stride", layout.width)
        fields.set("crowd-label", parts.crowdLabel ?? 0)
        fields.set(subject.count, parts.count)
        fields.set("instances", list: "instance", count: parts.instances.count) { index, fields in
            let found = parts.instances[index]
            fields.set(id: found.id, box: found.boundingBox, confidence: found.confidence)
            fields.set(trackOf: found.id, in: tracks)
            fields.set("label", found.label)
            buffers.part(found.label).write(to: fields, as: "mask")
        }
    }
}

extension PeopleMaskMeta {
    /// A frame's mask for a consumer; it may come from another program's element.
    struct Reader: SelectableMasks {
        private let fields: StructureReader
        /// Size and sample format of the masks.
        let layout: MaskLayout
        private let stride: Int
        /// The quality level of the analysis; nil for masks of other programs.
        let quality: GeneratePersonSegmentationRequest.QualityLevel?

        /// Returns nil when the size or the format is missing.
        init?(_ fields: StructureReader) {
            guard let width = fields.int("width"), let height = fields.int("height"),
                let format = fields.string("format").flatMap(MaskFormat.init(rawValue:))
            else { return nil }
            self.fields = fields
            layout = MaskLayout(width: width, height: height, format: format)
            stride = fields.int("stride") ?? 0
            quality = fields.string("quality").flatMap(
                GeneratePersonSegmentationRequest.QualityLevel.init(rawValue:))
        }

        /// Whether the mask comes from a quality level that makes mattes.
        ///
        /// `fast` is for streams in which milliseconds count. Masks from other programs do not have a quality
        /// level.
        var isMatte: Bool { quality == .balanced || quality == .accurate }

        /// Lends the mask to `body`; nil when its memory contradicts its fields.
        func withMask<Result>(_ body: (MaskView) -> Result) -> Result? {
            withMask(fields, "mask", layout, stride, body)
        }

        private func withMask<Result>(
            _ fields: StructureReader, _ name: StaticString, _ layout: MaskLayout, _ stride: Int,
            _ body: (MaskView) -> Result
        ) -> Result? {
            fields.withBytes(name) { MaskView($0, layout, stride: stride).map(body) } ?? nil
        }

        /// A person with an instance mask.
        struct Instance: SelectablePerson {
            /// The person's id in all metadata of the frame; nil if unknown.
            let id: Int?
            /// The mask's own id.
            fileprivate let number: Int
            let label: Int
            fileprivate let fields: StructureReader
        }

        /// The instance masks; nil if there is only one mask of all people.
        var instances: [Instance]? {
            guard fields.has("instances"), fields.has("labels") else { return nil }
            var instances: [Instance] = []
            fields.forEach("instances") { person in
                guard let number = person.int("id"), let label = person.int("label") else { return }
                // Masks of other programs have only one kind of id.
                let id = person.has("person") ? person.person : number
                instances.append(Instance(id: id, number: number, label: label, fields: person))
            }
            return instances
        }

        /// Attaches a region of interest for an instance of this mask.
        func attachRegion(of instance: Instance, to frame: borrowing VideoFrame, _ tracks: RegionTracks) {
            guard let box = instance.fields.box else { return }
            frame.attachRegion(
                Subject(of: fields).region, box: box, confidence: instance.fields.double("confidence") ?? 0,
                id: instance.number, in: tracks)
        }

        /// The extent of what the mask shows; nil if it shows nothing, or cannot be read.
        ///
        /// - Parameter row: memory for a row.
        func outline(row: FloatImage) -> MaskOutline? { withMask { MaskOutline($0, row: row) } ?? nil }

        /// The extent of what an instance's mask shows.
        func outline(of instance: Instance, row: FloatImage) -> MaskOutline? {
            withMask(of: instance) { MaskOutline($0, row: row) } ?? nil
        }

        /// Lends a person's mask to `body`, in the size and format of the whole mask; nil when its memory
        /// contradicts its fields.
        func withMask<Result>(of instance: Instance, _ body: (MaskView) -> Result) -> Result? {
            withMask(ofFields: instance.fields, body)
        }

        /// Lends the mask of an entry of `instances` to `body`.
        func withMask<Result>(ofFields instance: StructureReader, _ body: (MaskView) -> Result) -> Result? {
            withMask(instance, "mask", layout, stride, body)
        }

        /// Returns the label at a point, normalised to 0...1; nil when the label map's memory contradicts its
        /// fields.
        func label(at point: Point) -> Int? {
            PeopleMaskMeta.withLabels(of: fields) { $0?.value(at: point) }
        }
    }

    /// Lends the label map of a mask's fields to `body`; nil if there is none, or its memory contradicts the
    /// fields.
    static func withLabels<Result>(of fields: StructureReader?, _ body: (MaskView?) -> Result) -> Result {
        guard let fields, let width = fields.int("width"), let height = fields.int("height") else {
            return body(nil)
        }
        let layout = MaskLayout(width: width, height: height, format: .gray8)
        let stride = fields.int("labels-stride") ?? width
        return fields.withBytes("labels") { body(MaskView($0, layout, stride: stride)) } ?? body(nil)
    }

    /// The reason why a frame has no usable mask.
    enum Fault: Error {
        case missing, malformed, otherFrame, otherImage, tooOld
        /// The mask has no instance masks.
        case noInstances
        /// The chosen people are not in the frame.
        case lost

        init(_ fault: FrameComposer.Fault) {
            self =
                switch fault {
                case .noMask: .missing
                case .noInstances: .noInstances
                case .malformed: .malformed
                case .lost: .lost
                }
        }
    }

    /// Conditions for a usable mask.
    struct Limits {
        /// Maximum age in nanoseconds; nil for twice the mask's own interval.
        var oldest: UInt64?
        /// The orientation of the stream's frames.
        var orientation: ImageOrientation
    }

    /// Returns the newest usable mask of `frame`.
    static func newestMask(of frame: borrowing VideoFrame, _ limits: Limits) -> Result<Reader, Fault> {
        var newest = Result<Reader, Fault>.failure(.missing)
        let (info, time, isCropped) = (frame.info, frame.presentationTime, frame.isCropped)
        frame.forEach(kind) { fields in
            let found = usable(fields, info, isCropped, time, limits)
            // An unusable mask does not replace a usable one before it.
            if case .failure = found, case .success = newest { return }
            newest = found
        }
        return newest
    }

    private static func usable(
        _ fields: StructureReader, _ info: VideoInfo, _ isCropped: Bool, _ time: UInt64?, _ limits: Limits
    ) -> Result<Reader, Fault> {
        guard let mask = Reader(fields) else { return .failure(.malformed) }
        guard fields.isOfFrame(at: time) else { return .failure(.otherFrame) }
        guard fields.isOfImage(info, isCropped, limits.orientation) else { return .failure(.otherImage) }
        guard fields.isRecentEnough(limits.oldest) else { return .failure(.tooOld) }
        return .success(mask)
    }
}

extension MaskView {
    /// Views a buffer's memory as a mask; nil if it is too small.
    fileprivate init?(_ bytes: UnsafeRawBufferPointer, _ layout: MaskLayout, stride: Int) {
        guard let base = bytes.baseAddress else { return nil }
        self.init(
            format: layout.format, width: layout.width, height: layout.height, base: base, stride: stride,
            byteCount: bytes.count)
    }
}

// A missing field makes no mask unusable: other programs need to write only the mask itself.
extension StructureReader {
    /// Greatest rounding of a time by containers and codecs, in nanoseconds: a millisecond.
    private static var rounding: UInt64 { 1_000_000 }

    /// Whether the mask was attached to this frame: codecs move metadata to other frames when they reorder
    /// frames.
    fileprivate func isOfFrame(at time: UInt64?) -> Bool {
        guard has("timestamp") else { return true }
        guard let own = nanoseconds("timestamp"), let time else { return false }
        return max(own, time) - min(own, time) <= Self.rounding
    }

    /// Whether the metadata was made of an image with these proportions and this orientation.
    ///
    /// A cropped frame accepts only metadata of its own size, because a mask of the whole buffer may have the
    /// same proportions.
    func isOfImage(
        _ info: VideoInfo, _ isCropped: Bool, _ orientation: ImageOrientation
    ) -> Bool {
        if has("orientation"), int("orientation") != orientation.rawValue { return false }
        guard isCropped || has("frame-width") || has("frame-height") else { return true }
        guard let width = int("frame-width"), let height = int("frame-height") else { return false }
        guard !isCropped || (width, height) == (info.width, info.height) else { return false }
        let pixel = has("pixel-aspect-ratio") ? fraction("pixel-aspect-ratio") : (1, 1)
        guard let pixel else { return false }
        return info.hasDisplayAspect(of: (width, height), pixelAspectRatio: pixel)
    }

    /// Whether the mask is at most `oldest` nanoseconds old, or by default twice its interval.
    ///
    /// An explicit limit also applies to `motion-age`.
    fileprivate func isRecentEnough(_ oldest: UInt64?) -> Bool {
        guard let age = has("age") ? nanoseconds("age") : 0,
            let motionAge = has("motion-age") ? nanoseconds("motion-age") : 0,
            let interval = has("interval") ? nanoseconds("interval") : 0
        else { return false }
        if let oldest { return max(age, motionAge) <= oldest }
        let (twice, overflows) = interval.multipliedReportingOverflow(by: 2)
        return age <= (overflows ? .max : twice)
    }
}
