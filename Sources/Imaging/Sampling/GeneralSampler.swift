/// Samples regions that are turned against the frame, tensor pixel by tensor pixel.
final class GeneralSampler {
    private let resampled = ScratchBuffer<SIMD4<Float>>()

    /// - Parameter map: from tensor pixels to frame pixels.
    func sample<Sample: PixelSample>(
        _ image: ImageView, _: Sample.Type, map: FrameTransform, input: TensorInput,
        into tensor: UnsafeMutablePointer<Float>
    ) {
        let vectors = (input.width + 3) / 4
        let sums = resampled.reserve(3 * vectors)
        sums.update(repeating: SIMD4(), count: 3 * vectors)
        let conversion = TensorConversion(image, input: input)
        let grid = {
            SampleGrid<Sample>(image, component: $0, map: map, input: input, black: conversion.black)
        }
        let grids = (grid(0), grid(1), grid(2))
        let count = image.format.layout.colorCount
        for y in 0..<input.height {
            sampleRow(y, grids.0, index: 0, count: input.width, spacing: vectors)
            if count > 1 { sampleRow(y, grids.1, index: 1, count: input.width, spacing: vectors) }
            if count > 2 { sampleRow(y, grids.2, index: 2, count: input.width, spacing: vectors) }
            store(conversion, vectors: vectors, input: input, into: tensor + y * input.strides.y)
        }
    }

    private func sampleRow(
        _ y: Int, _ grid: SampleGrid<some PixelSample>, index: Int, count: Int, spacing: Int
    ) {
        let sums = resampled.base + index * spacing
        sums.withMemoryRebound(to: Float.self, capacity: 4 * spacing) { row in
            grid.sampleRow(y, count: count, into: row)
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
