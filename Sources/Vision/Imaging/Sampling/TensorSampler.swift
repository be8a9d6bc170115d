import CKernels

/// Samples a region of a frame, in any format of the table, into a float RGB tensor.
///
/// Each component is interpolated on its own grid, at its own (chroma-sited) position. Only the tensor's
/// pixels are converted to RGB, in the range of a screen; no full-size RGB copy is made. Use one sampler per
/// stream and model input: it keeps tables and scratch rows, and must not be used by two threads at once.
package final class TensorSampler {
    /// The combination of samples.
    package enum Filter: Sendable {
        /// Four neighbours, pixel centres aligned, at any scale; the same values as OpenCV's `warpAffine`
        /// with `INTER_LINEAR`, with which MediaPipe's models were measured.
        case bilinear
        /// The average of the area that an output pixel covers; equals `bilinear` when enlarging.
        case area
    }

    /// The content outside of the frame.
    package enum Border: Sendable {
        /// The nearest pixel of the frame.
        case replicate
        /// Black.
        case black
    }

    /// The model input that tensors are for.
    package let input: TensorInput
    private let separable = SeparableSampler()
    private let general = GeneralSampler()

    /// Creates a sampler for one model input.
    ///
    /// - Throws: `SamplingError.sizeOutOfRange` when a side is not in 1...`ImageView.maximumSide`.
    package init(_ input: TensorInput) throws(SamplingError) {
        let sides = 1...ImageView.maximumSide
        guard sides.contains(input.width), sides.contains(input.height) else {
            throw .sizeOutOfRange(width: input.width, height: input.height)
        }
        self.input = input
    }

    /// Fills `tensor` with `region` of `image`.
    ///
    /// - Parameters:
    ///   - region: maps the tensor's unit square to the image's; `identity` is the whole image.
    ///   - tensor: memory for at least `input.valueCount` values.
    /// - Throws: `SamplingError.tensorTooSmall` or `.regionOutOfRange`.
    package func sample(
        _ image: ImageView, region: FrameTransform = .identity, into tensor: UnsafeMutableBufferPointer<Float>
    ) throws(SamplingError) {
        guard let base = tensor.baseAddress, tensor.count >= input.valueCount else {
            throw .tensorTooSmall(needed: input.valueCount, found: tensor.count)
        }
        guard region.isWithinReason else { throw .regionOutOfRange }
        let toTensor = FrameTransform.pixels(
            Size(width: 1 / Double(input.width), height: 1 / Double(input.height)))
        let map = toTensor.followed(by: region)
            .followed(by: .pixels(Size(width: image.width, height: image.height)))
        if image.format.layout.bytesPerSample == 1 {
            sample(image, UInt8.self, map, into: base)
        } else {
            sample(image, UInt16.self, map, into: base)
        }
        SDRToneMapping.of(image.colorimetry.transfer)?.apply(to: base, input)
    }

    private func sample<Sample: PixelSample>(
        _ image: ImageView, _ type: Sample.Type, _ map: FrameTransform,
        into tensor: UnsafeMutablePointer<Float>
    ) {
        if let path = SeparablePath(map: map, input: input) {
            separable.sample(image, type, path: path, input: input, into: tensor)
        } else {
            general.sample(image, type, map: map, input: input, into: tensor)
        }
    }
}

/// Reasons for which a frame could not be sampled.
package enum SamplingError: Error, Equatable, CustomStringConvertible {
    /// A model input's side is not in 1...`ImageView.maximumSide`.
    case sizeOutOfRange(width: Int, height: Int)
    /// The tensor has fewer values than the model input needs.
    case tensorTooSmall(needed: Int, found: Int)
    /// The region is not finite, or more than a million frames large or away.
    case regionOutOfRange

    /// A description of the failure, as a sentence.
    package var description: String {
        switch self {
        case .sizeOutOfRange(let width, let height):
            "a model input of \(width)x\(height) is not in 1...\(ImageView.maximumSide)"
        case .tensorTooSmall(let needed, let found):
            "the tensor holds \(found) values where \(needed) are needed"
        case .regionOutOfRange:
            "the region to sample is not finite or far outside the frame"
        }
    }
}

/// Samples regions that are rotated against the frame, tensor pixel by tensor pixel.
final class GeneralSampler {
    /// A row of each component.
    private let row = ScratchBuffer<Float>()

    /// Samples a region.
    ///
    /// - Parameter map: maps tensor pixels to frame pixels.
    func sample<Sample: PixelSample>(
        _ image: ImageView, _: Sample.Type, map: FrameTransform, input: TensorInput,
        into tensor: UnsafeMutablePointer<Float>
    ) {
        let width = input.width
        let values = row.reserve(3 * width)
        values.update(repeating: 0, count: 3 * width)
        let conversion = TensorConversion(image, input: input)
        let grid = {
            SampleGrid<Sample>(image, component: $0, map: map, input: input, black: conversion.black)
        }
        let grids = (grid(0), grid(1), grid(2))
        let count = image.format.layout.colorCount
        for y in 0..<input.height {
            grids.0.sampleRow(y, count: width, into: values)
            if count > 1 { grids.1.sampleRow(y, count: width, into: values + width) }
            if count > 2 { grids.2.sampleRow(y, count: width, into: values + 2 * width) }
            conversion.convertRow(
                values, count: width, into: tensor + y * input.strides.y, pixelStride: input.strides.x,
                channelStride: input.strides.channel)
        }
    }
}

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

/// Converts component sums (black already subtracted) to a tensor's RGB values.
struct TensorConversion {
    /// The places of the results, in values of the tensor.
    struct Target {
        /// Distance from one vector's first lane to the next vector's.
        let vectorStride: Int
        /// Distance from lane to lane.
        let laneStride: Int
        /// Distance from R to G and from G to B.
        let channelStride: Int
    }

    /// The components of black.
    let black: SIMD3<Float>
    private let columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
    private let low: Float
    private let limits: (low: Float, high: Float)

    init(_ image: ImageView, input: TensorInput) {
        let matrix = ColorMatrix(image.format.layout, image.colorimetry)
        let scale = (input.high - input.low) / 255
        black = matrix.black
        columns = (matrix.columns.0 * scale, matrix.columns.1 * scale, matrix.columns.2 * scale)
        low = input.low
        limits = (min(input.low, input.high), max(input.low, input.high))
    }

    /// Converts `count` vectors of each component in place and stores them.
    ///
    /// - Parameters:
    ///   - spacing: number of vectors from one component to the next.
    ///   - lanes: number of lanes of each vector that are stored.
    func convert(
        _ sums: UnsafeMutablePointer<SIMD4<Float>>, count: Int, spacing: Int, lanes: Int,
        into tensor: UnsafeMutablePointer<Float>, _ target: Target
    ) {
        sums.withMemoryRebound(to: Float.self, capacity: 4 * (2 * spacing + count)) { first in
            let (second, third) = (first + 4 * spacing, first + 8 * spacing)
            multiply(first, second, third, count: 4 * count)
            for lane in 0..<lanes {
                store(
                    first + lane, second + lane, third + lane, count: count,
                    at: tensor + lane * target.laneStride, target)
            }
        }
    }

    /// Converts and stores a row: `count` values of the first component, then those of the second and the third.
    func convertRow(
        _ sums: UnsafePointer<Float>, count: Int, into tensor: UnsafeMutablePointer<Float>, pixelStride: Int,
        channelStride: Int
    ) {
        let (a, b, c) = columns
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 9) { matrix in
            for channel in 0..<3 {
                (matrix[channel], matrix[3 + channel], matrix[6 + channel]) = (
                    a[channel], b[channel], c[channel]
                )
            }
            guard let matrix = matrix.baseAddress else { return }
            kernel_convert_row(
                sums, sums + count, sums + 2 * count, matrix, low, limits.low, limits.high, tensor,
                pixelStride,
                channelStride, count)
        }
    }

    /// Multiplies by the matrix in scalar code, which the compiler vectorizes; in vector code the limits
    /// became branches.
    private func multiply(
        _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>,
        _ third: UnsafeMutablePointer<Float>, count: Int
    ) {
        let (a, b, c) = columns
        let (low, limits) = (low, limits)
        for i in 0..<count {
            let (x, y, z) = (first[i], second[i], third[i])
            first[i] = limited(x * a.x + y * b.x + z * c.x + low, limits)
            second[i] = limited(x * a.y + y * b.y + z * c.y + low, limits)
            third[i] = limited(x * a.z + y * b.z + z * c.z + low, limits)
        }
    }

    @inline(__always)
    private func limited(_ value: Float, _ limits: (low: Float, high: Float)) -> Float {
        let raised = value < limits.low ? limits.low : value
        return raised > limits.high ? limits.high : raised
    }

    /// Stores one lane: every fourth float.
    private func store(
        _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, count: Int,
        at tensor: UnsafeMutablePointer<Float>, _ target: Target
    ) {
        let (next, channel) = (target.vectorStride, target.channelStride)
        var pixel = tensor
        for i in 0..<count {
            pixel[0] = red[4 &* i]
            pixel[channel] = green[4 &* i]
            pixel[2 &* channel] = blue[4 &* i]
            pixel += next
        }
    }
}
