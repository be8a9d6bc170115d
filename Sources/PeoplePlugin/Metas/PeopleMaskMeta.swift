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
    /// How the stored image must be rotated and mirrored to be upright.
    var orientation: ImageOrientation
    /// Time since the frame from which the mask was made, in nanoseconds: 0 when that is this very frame.
    var age: UInt64 = 0
    /// Nanoseconds since the frame from which the mask has moved along with the image; 0 where it was made of the frame
    /// that `age` tells.
    var motionAge: UInt64 = 0
    /// From one new mask to the next, in nanoseconds.
    var interval: UInt64 = 0
    /// The instance masks; nil where there is one mask of all.
    var parts: Parts?

    /// The instance masks of a frame: of its people or subjects.
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
    /// What a consumer needs of a frame's mask, which may come from another program's element.
    struct Reader {
        private let fields: StructureReader
        private let layout: MaskLayout
        private let stride: Int
        /// The quality level that made it; nil for masks of other programs.
        let quality: GeneratePersonSegmentationRequest.QualityLevel?

        /// Nil when the size or the format is missing.
        fileprivate init?(_ fields: StructureReader) {
            guard let width = fields.int("width"), let height = fields.int("height"),
                let format = fields.string("format").flatMap(MaskFormat.init(rawValue:))
            else { return nil }
            self.fields = fields
            layout = MaskLayout(width: width, height: height, format: format)
            stride = fields.int("stride") ?? 0
            quality = fields.string("quality").flatMap(
                GeneratePersonSegmentationRequest.QualityLevel.init(rawValue:))
        }

        /// Lends the mask to `body`; nil when its memory is not what the fields say.
        func withMask<Result>(_ body: (MaskView) -> Result) -> Result? {
            withMask(fields, "mask", layout, stride, body)
        }

        private func withMask<Result>(
            _ fields: StructureReader, _ name: StaticString, _ layout: MaskLayout, _ stride: Int,
            _ body: (MaskView) -> Result
        ) -> Result? {
            fields.withBytes(name) { MaskView($0, layout, stride: stride).map(body) } ?? nil
        }

        /// A person with a mask of their own.
        struct Instance {
            /// The person's, as all metadata of the frame have it; nil where that is not known.
            let id: Int?
            /// The mask's own.
            fileprivate let number: Int
            let label: Int
            fileprivate let fields: StructureReader
        }

        /// The instance masks; nil where there is one mask of all people.
        var instances: [Instance]? {
            guard fields.has("instances"), fields.has("labels") else { return nil }
            var instances: [Instance] = []
            fields.forEach("instances") { person in
                guard let number = person.int("id"), let label = person.int("label") else { return }
                // The ids of other programs' masks are taken as they are.
                let id = person.has("person") ? person.person : number
                instances.append(Instance(id: id, number: number, label: label, fields: person))
            }
            return instances
        }

        /// Says for other plugins where a person is whose mask is in the frame.
        func attachRegion(of instance: Instance, to frame: borrowing VideoFrame, _ tracks: RegionTracks) {
            guard let box = instance.fields.box else { return }
            frame.attachRegion(
                Subject(of: fields).region, box: box, confidence: instance.fields.double("confidence") ?? 0,
                id: instance.number, in: tracks)
        }

        /// Lends a person's mask to `body`, which has the size and format of the whole one; nil when its memory is not
        /// what the fields say.
        func withMask<Result>(of instance: Instance, _ body: (MaskView) -> Result) -> Result? {
            withMask(instance.fields, "mask", layout, stride, body)
        }

        /// The label at a point, normalised to 0...1; nil when the label map's memory is not what the fields say.
        func label(at point: Point) -> Int? {
            PeopleMaskMeta.withLabels(of: fields) { $0?.value(at: point) }
        }
    }

    /// Lends the label map of a mask's fields to `body`; nil where there is none, or its memory is not what they say.
    static func withLabels<Result>(of fields: StructureReader?, _ body: (MaskView?) -> Result) -> Result {
        guard let fields, let width = fields.int("width"), let height = fields.int("height") else {
            return body(nil)
        }
        let layout = MaskLayout(width: width, height: height, format: .gray8)
        let stride = fields.int("labels-stride") ?? width
        return fields.withBytes("labels") { body(MaskView($0, layout, stride: stride)) } ?? body(nil)
    }

    /// Why a frame has no mask that may be used.
    enum Fault: Error {
        case missing, malformed, otherFrame, otherImage, tooOld
        /// There are no instance masks.
        case noInstances
        /// People who are asked for are not in the frame.
        case lost
    }

    /// What a mask must be to be used.
    struct Limits {
        /// Nanoseconds; nil for twice the mask's own interval.
        var oldest: UInt64?
        /// The orientation of the stream's frames.
        var orientation: ImageOrientation
    }

    /// The newest mask of `frame` that may be used.
    static func newestMask(of frame: borrowing VideoFrame, _ limits: Limits) -> Result<Reader, Fault> {
        var newest = Result<Reader, Fault>.failure(.missing)
        let (info, time, isCropped) = (frame.info, frame.presentationTime, frame.isCropped)
        frame.forEach(kind) { fields in
            let found = usable(fields, info, isCropped, time, limits)
            // One that cannot be used does not hide the one before it.
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
    /// Memory of a buffer seen as a mask; nil where it is too small.
    fileprivate init?(_ bytes: UnsafeRawBufferPointer, _ layout: MaskLayout, stride: Int) {
        guard let base = bytes.baseAddress else { return nil }
        self.init(
            format: layout.format, width: layout.width, height: layout.height, base: base, stride: stride,
            byteCount: bytes.count)
    }
}

// What a mask does not say is not held against it: other programs need to write only what the mask is.
extension StructureReader {
    /// Containers and codecs round times, at most to milliseconds.
    private static var rounding: UInt64 { 1_000_000 }

    /// Whether the mask was attached to this frame: codecs give metadata to frames that they reorder.
    fileprivate func isOfFrame(at time: UInt64?) -> Bool {
        guard has("timestamp") else { return true }
        guard let own = nanoseconds("timestamp"), let time else { return false }
        return max(own, time) - min(own, time) <= Self.rounding
    }

    /// Whether the mask was made of such an image: of its proportions and orientation.
    ///
    /// A part of a buffer has masks of its own size only: one of the whole buffer may have the same proportions.
    fileprivate func isOfImage(
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

    /// Whether the mask is not older than `oldest` nanoseconds, or than twice its interval.
    ///
    /// A limit that is given counts for what has moved along with the image, too.
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
