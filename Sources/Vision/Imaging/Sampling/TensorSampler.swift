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
