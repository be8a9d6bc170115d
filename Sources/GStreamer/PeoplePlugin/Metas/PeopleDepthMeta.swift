import GStreamerKit
import Imaging

/// The `GstPeopleDepth` metadata: the depth map of a frame.
///
/// Applications and other elements attach it. Field names and units are API, listed in docs/metadata.md.
enum PeopleDepthMeta {
    static let kind = CustomMeta("GstPeopleDepth")

    /// Lends the depth map of `frame` to `body`; nil if it has none, or its fields contradict each other.
    static func withDepth<Result>(
        of frame: borrowing VideoFrame, _ body: (DepthView?) -> Result
    ) -> Result {
        guard let fields = frame.read(kind), let width = fields.int("width"),
            let height = fields.int("height"),
            let format = fields.has("format")
                ? fields.string("format").flatMap(DepthFormat.init(rawValue:)) : .millimetres
        else { return body(nil) }
        let packed = width.multipliedReportingOverflow(by: format.bytesPerValue).partialValue
        let stride = fields.int("stride") ?? packed
        let result = fields.withBytes("depth") { bytes in
            body(
                bytes.baseAddress.flatMap {
                    DepthView(
                        format: format, width: width, height: height, base: $0, stride: stride,
                        byteCount: bytes.count)
                })
        }
        return result ?? body(nil)
    }
}
