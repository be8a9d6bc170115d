/// The image input of a model: its shape, its value range, and the resampling of frames.
package struct TensorInput: Sendable, Equatable {
    /// Order of the dimensions of a tensor with batch size 1.
    package enum Layout: Sendable {
        /// 1, height, width, 3.
        case nhwc
        /// 1, 3, height, width.
        case nchw
    }

    /// Number of pixels per row.
    package var width: Int
    /// Number of rows.
    package var height: Int
    /// Order of the dimensions; the channels are R, G, B.
    package var layout: Layout
    /// The value that stands for R, G or B = 0.
    package var low: Float
    /// The value that stands for R, G or B = 255.
    package var high: Float
    /// The combination of samples.
    package var filter: TensorSampler.Filter
    /// The content outside of the frame.
    package var border: TensorSampler.Border

    /// Creates an image input of `width` x `height` pixels.
    package init(
        width: Int, height: Int, layout: Layout = .nhwc, low: Float = 0, high: Float = 1,
        filter: TensorSampler.Filter = .bilinear, border: TensorSampler.Border = .replicate
    ) {
        self.width = width
        self.height = height
        self.layout = layout
        self.low = low
        self.high = high
        self.filter = filter
        self.border = border
    }

    /// Number of values: 3 `width` `height`, if `TensorSampler` accepts the sides.
    package var valueCount: Int { 3 &* width &* height }

    /// Number of values from one pixel to the next in a row, from row to row, and from channel to channel.
    var strides: (x: Int, y: Int, channel: Int) {
        switch layout {
        case .nhwc: (3, 3 * width, 1)
        case .nchw: (1, width, width * height)
        }
    }
}
