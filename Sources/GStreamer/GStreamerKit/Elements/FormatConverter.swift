import CGStreamer
import Imaging

/// Converts whole frames between pixel formats of the same size (`GstVideoConverter`).
final class FormatConverter {
    private let converter: OpaquePointer
    private let input: VideoInfo
    private let output: VideoInfo

    init(from input: VideoInfo, to output: VideoInfo) throws(ElementError) {
        var source = input.raw
        var destination = output.raw
        guard let converter = gst_video_converter_new(&source, &destination, nil) else {
            throw ElementError(.coreNegotiation, "These two video formats cannot be converted.")
        }
        self.converter = converter
        self.input = input
        self.output = output
    }

    deinit { gst_video_converter_free(converter) }

    /// Converts an image into `destination`; false when either buffer is too small for its image.
    func convert(
        _ source: UnsafeMutablePointer<GstBuffer>, into destination: UnsafeMutablePointer<GstBuffer>
    ) -> Bool {
        guard let read = VideoFrame(mapping: source, as: input, .read),
            let write = VideoFrame(mapping: destination, as: output, .readWrite)
        else { return false }
        read.withRaw { source in
            write.withRaw { destination in gst_video_converter_frame(converter, source, destination) }
        }
        if input.format?.layout.alpha == nil { write.mutableImage?.makeAlphaPlaneOpaque() }
        return true
    }
}

extension VideoFrame {
    /// Lends the mapped frame to a C function.
    borrowing func withRaw(_ body: (UnsafeMutablePointer<GstVideoFrame>) -> Void) {
        var copy = rawFrame
        body(&copy)
    }
}
