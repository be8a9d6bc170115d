import GStreamerKit
import Imaging
import PeopleVision

/// The `GstPeopleMask` metadata: who is where, for the frame that carries it.
///
/// Field names and units are API; the README lists them.
struct PeopleMaskMeta {
    static let kind = CustomMeta("GstPeopleMask")

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
    /// Frames since the mask was made: 0 when it was made from this very frame.
    var age = 0
    /// A new mask is made every so many frames.
    var interval = 1
}

// MARK: - Writing

extension PeopleMaskMeta {
    /// Attaches the mask that `buffer` keeps to `frame`; false when GStreamer refuses.
    func attach(_ buffer: BufferSlot, to frame: borrowing VideoFrame) -> Bool {
        guard let fields = frame.attach(Self.kind) else { return false }
        buffer.write(to: fields, as: "mask")
        fields.set("width", layout.width)
        fields.set("height", layout.height)
        fields.set("stride", stride)
        fields.set("format", layout.format.rawValue)
        fields.set("frame-width", frame.info.width)
        fields.set("frame-height", frame.info.height)
        fields.set("pixel-aspect-ratio", fraction: frame.info.pixelAspectRatio)
        fields.set("orientation", orientation.rawValue)
        fields.set("quality", quality.rawValue)
        fields.set("revision", revision)
        fields.set("age", age)
        fields.set("interval", interval)
        return true
    }
}

// MARK: - Reading

extension PeopleMaskMeta {
    /// What a consumer needs of a frame's mask, which may come from another program's element.
    struct Reader {
        let fields: StructureReader
        let layout: MaskLayout
        let stride: Int
        let age: Int
        let interval: Int
        /// The quality level that made it; nil for masks of other programs.
        let quality: GeneratePersonSegmentationRequest.QualityLevel?

        /// Reads the mask of `frame`; nil without one, or with one that lacks its size or format.
        init?(_ frame: borrowing VideoFrame) {
            guard let fields = frame.read(PeopleMaskMeta.kind), let width = fields.int("width"),
                let height = fields.int("height"),
                let format = fields.string("format").flatMap(MaskFormat.init(rawValue:))
            else { return nil }
            self.fields = fields
            layout = MaskLayout(width: width, height: height, format: format)
            stride = fields.int("stride") ?? 0
            age = fields.int("age") ?? 0
            interval = fields.int("interval") ?? 1
            quality = fields.string("quality").flatMap(
                GeneratePersonSegmentationRequest.QualityLevel.init(rawValue:))
        }

        /// Lends the mask to `body`; nil when its memory is not what the fields say.
        func withMask<Result>(_ body: (MaskView) -> Result) -> Result? {
            fields.withBytes("mask") { bytes in
                guard let base = bytes.baseAddress else { return nil }
                let view = MaskView(
                    format: layout.format, width: layout.width, height: layout.height,
                    base: base, stride: stride, byteCount: bytes.count)
                return view.map(body)
            } ?? nil
        }
    }
}
