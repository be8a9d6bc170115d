/// Samples regions that are turned against the frame, tensor pixel by tensor pixel.
final class GeneralSampler {
    private let resampled = ScratchBuffer<SIMD4<Float>>()

    /// - Parameter map: from tensor pixels to frame pixels.
    func sample(
        _ image: ImageView, map: FrameTransform, input: TensorInput, into tensor: UnsafeMutablePointer<Float>
    ) {
        let vectors = (input.width + 3) / 4
        let sums = resampled.reserve(3 * vectors)
        sums.update(repeating: SIMD4(), count: 3 * vectors)
        let layout = image.format.layout
        let conversion = TensorConversion(image, input: input)
        for y in 0..<input.height {
            for index in 0..<layout.colorCount {
                let grid = SampleGrid(
                    image, component: index, map: map, input: input, black: conversion.black)
                (sums + index * vectors).withMemoryRebound(to: Float.self, capacity: 4 * vectors) { row in
                    grid.sampleRow(y, count: input.width, into: row)
                }
            }
            store(conversion, vectors: vectors, input: input, into: tensor + y * input.strides.y)
        }
    }

    /// Converts a row; the last vector may hold fewer than four pixels.
    private func store(
        _ conversion: TensorConversion, vectors: Int, input: TensorInput,
        into row: UnsafeMutablePointer<Float>
    ) {
        let strides = input.strides
        let target = TensorConversion.Target(
            vectorStride: 4 * strides.x, laneStride: strides.x, channelStride: strides.channel)
        let whole = input.width / 4
        conversion.convert(
            resampled.base, count: whole, spacing: vectors, lanes: 4, into: row, target)
        if whole < vectors {
            conversion.convert(
                resampled.base + whole, count: 1, spacing: vectors, lanes: input.width & 3,
                into: row + whole * target.vectorStride, target)
        }
    }
}
