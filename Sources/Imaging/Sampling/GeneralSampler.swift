/// Samples regions that are turned against the frame, tensor pixel by tensor pixel.
final class GeneralSampler {
    /// A row of each component.
    private let row = ScratchBuffer<Float>()

    /// - Parameter map: from tensor pixels to frame pixels.
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
