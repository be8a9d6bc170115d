import GStreamerKit
import Imaging
import PeopleVision

/// The `GstPeopleMask` metadata: who is where, for the frame that carries it.
///
/// Field names and units are API; docs/metadata.md lists them.
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
    /// Time since the frame from which the mask was made, in nanoseconds: 0 when that is this very frame.
    var age: UInt64 = 0
    /// From one new mask to the next, in nanoseconds.
    var interval: UInt64 = 0
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
        fields.set(analysisOf: frame, orientation, revision: revision)
        fields.set("quality", quality.rawValue)
        fields.set("age", nanoseconds: age)
        fields.set("interval", nanoseconds: interval)
        if let time = frame.presentationTime { fields.set("timestamp", nanoseconds: time) }
        return true
    }
}
