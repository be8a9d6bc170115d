import CKernels

/// Samples regions with edges parallel to the frame's.
///
/// If each tensor pixel is computed from two by two bytes, tensor rows are computed one by one from just
/// these. Otherwise four tensor rows are computed at a time: source rows are combined vertically (whole
/// rows of bytes, so the format does not matter), the four results are interleaved, and each column is then
/// one vector of four rows for the horizontal taps and the colour conversion.
final class SeparableSampler {
    private let columns = Quad { AxisTaps() }
    private let rows = Quad { AxisTaps() }
    private let combined = ScratchBuffer<Float>()
    private let interleaved = ScratchBuffer<SIMD4<Float>>()
    private let resampled = ScratchBuffer<SIMD4<Float>>()
    private var geometry: Geometry?
    /// Whether each tensor pixel is computed from two columns and two rows.
    private var hasTwoTaps = false

    /// The settings that the tables depend on.
    private struct Geometry: Equatable {
        let format: PixelFormat
        let width: Int
        let height: Int
        let site: Colorimetry.ChromaSite
        let path: SeparablePath
        let input: TensorInput
    }

    func sample<Sample: PixelSample>(
        _ image: ImageView, _ type: Sample.Type, path: SeparablePath, input: TensorInput,
        into tensor: UnsafeMutablePointer<Float>
    ) {
        prepare(image, path: path, input: input)
        let conversion = TensorConversion(image, input: input)
        let target = TensorConversion.Target(
            vectorStride: path.horizontal.stride, laneStride: path.vertical.stride,
            channelStride: input.strides.channel)
        if hasTwoTaps, Sample.self == UInt8.self {
            return sampleBytes(image, path, conversion, channelStride: target.channelStride, into: tensor)
        }
        let count = path.horizontal.count
        var row = 0
        while row < path.vertical.count {
            let lanes = min(4, path.vertical.count - row)
            // Only a plane of alpha alone could be the fourth.
            for plane in 0..<min(3, image.format.layout.planeCount) {
                resample(image, type, plane: plane, firstRow: row, lanes: lanes, black: conversion.black)
            }
            conversion.convert(
                resampled.base, count: count, spacing: count, lanes: lanes,
                into: tensor + row * path.vertical.stride, target)
            row += 4
        }
    }

    /// Samples bytes row by row.
    private func sampleBytes(
        _ image: ImageView, _ path: SeparablePath, _ conversion: TensorConversion, channelStride: Int,
        into tensor: UnsafeMutablePointer<Float>
    ) {
        let (layout, count) = (image.format.layout, path.horizontal.count)
        resampled.base.withMemoryRebound(to: Float.self, capacity: 3 * count) { values in
            for row in 0..<path.vertical.count {
                for index in 0..<layout.colorCount {
                    let black = conversion.black[index]
                    sampleBytes(
                        image, layout.component(index), row, columns[index], black: black,
                        into: values + index * count, count: count)
                }
                conversion.convertRow(
                    values, count: count, into: tensor + row * path.vertical.stride,
                    pixelStride: path.horizontal.stride, channelStride: channelStride)
            }
        }
    }

    private func sampleBytes(
        _ image: ImageView, _ part: ComponentLayout, _ row: Int, _ columns: AxisTaps, black: Float,
        into values: UnsafeMutablePointer<Float>, count: Int
    ) {
        let (rows, plane) = (rows[part.plane], image.plane(part.plane))
        let start = Int(rows.starts[row])
        let (upper, lower) = (plane.row(start) + part.first, plane.row(start + 1) + part.first)
        let (upperWeight, lowerWeight) = (rows.weights[2 * row], rows.weights[2 * row + 1])
        let (isSingle, black): (Int32, Float) = (columns.isSingle ? 1 : 0, black * rows.coverage[row])
        // A row without weight is not fetched, because fetching takes the most time.
        if upperWeight == 0 || lowerWeight == 0 {
            kernel_sample_row_u8(
                lowerWeight == 0 ? upper : lower, upperWeight + lowerWeight, columns.starts, columns.weights,
                columns.coverage, part.step, isSingle, black, values, count)
        } else {
            let (first, end) = (columns.first * part.step, (columns.end - 1) * part.step + 1)
            kernel_combine_rows_u8(
                upper + first, lower + first, upperWeight, lowerWeight, combined.base + first, end - first)
            kernel_sample_row_f32(
                combined.base, 1, columns.starts, columns.weights, columns.coverage, part.step, isSingle,
                black,
                values, count)
        }
    }

    private func prepare(_ image: ImageView, path: SeparablePath, input: TensorInput) {
        let site = image.colorimetry.chromaSite
        let wanted = Geometry(
            format: image.format, width: image.width, height: image.height, site: site, path: path,
            input: input)
        guard geometry != wanted else { return }
        geometry = wanted
        let layout = image.format.layout
        for index in 0..<layout.colorCount {
            let part = layout.component(index)
            build(columns[index], part.horizontalAxis(width: image.width, site: site), path.horizontal, input)
            build(rows[part.plane], part.verticalAxis(height: image.height, site: site), path.vertical, input)
            let samples = layout.rowSamples(plane: part.plane, width: image.width)
            combined.reserve(4 * Self.pitch(samples))
            interleaved.reserve(Self.pitch(samples))
        }
        hasTwoTaps = (0..<layout.colorCount).allSatisfy {
            columns[$0].tapCount == 2 && rows[layout.component($0).plane].tapCount == 2
        }
        // Grey leaves the second and third component unchanged, so they must be numbers.
        resampled.reserve(3 * path.horizontal.count)
            .update(repeating: SIMD4(), count: 3 * path.horizontal.count)
    }

    private func build(_ taps: AxisTaps, _ axis: SampleAxis, _ walk: SeparablePath.Axis, _ input: TensorInput)
    {
        taps.build(
            outputs: walk.count, samples: axis.count, origin: walk.origin * axis.scale + axis.offset,
            step: walk.step * axis.scale, filter: input.filter, border: input.border)
    }

    /// Returns the number of floats from one combined row to the next, in whole vectors.
    private static func pitch(_ samples: Int) -> Int { (samples + 3) & ~3 }

    /// Resamples all components in `plane` for up to four tensor rows.
    private func resample<Sample: PixelSample>(
        _ image: ImageView, _ type: Sample.Type, plane: Int, firstRow: Int, lanes: Int, black: SIMD3<Float>
    ) {
        let layout = image.format.layout
        let samples = touchedSamples(layout, plane: plane)
        combineRows(
            image.plane(plane), type, taps: rows[plane], samples: samples, firstRow: firstRow, lanes: lanes)
        let coverage = rows[plane].coverage + firstRow
        var rowCoverage = SIMD4<Float>()
        for lane in 0..<lanes { rowCoverage[lane] = coverage[lane] }
        let count = geometry?.path.horizontal.count ?? 0
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            let part = layout.component(index)
            let (offset, bias) = (part.first - samples.lowerBound, rowCoverage * black[index])
            let sums = resampled.base + index * count
            RowKernels.resample(
                interleaved.base + offset, sampleStride: part.step, taps: columns[index], bias: bias,
                into: sums, count: count)
        }
    }

    /// Returns the samples of a row of `plane` that any column reads.
    private func touchedSamples(_ layout: PixelLayout, plane: Int) -> Range<Int> {
        var (low, high) = (Int.max, 0)
        for index in 0..<layout.colorCount where layout.component(index).plane == plane {
            let part = layout.component(index)
            low = min(low, part.first + columns[index].first * part.step)
            high = max(high, part.first + (columns[index].end - 1) * part.step + 1)
        }
        return min(low, high)..<high
    }

    private func combineRows<Sample: PixelSample>(
        _ plane: Plane, _ type: Sample.Type, taps: AxisTaps, samples: Range<Int>, firstRow: Int, lanes: Int
    ) {
        let pitch = Self.pitch(samples.count)
        let base = combined.base
        for lane in 0..<lanes {
            RowKernels.combine(
                plane, type, samples: samples, taps: taps, output: firstRow + lane, into: base + lane * pitch)
        }
        let last = lanes - 1
        RowKernels.interleave(
            base, base + min(1, last) * pitch, base + min(2, last) * pitch, base + min(3, last) * pitch,
            count: pitch / 4, into: interleaved.base)
    }
}

/// A region whose edges are parallel to the frame's: rows and columns can be resampled separately.
///
/// The tensor is walked along the frame's axes; a quarter turn only exchanges its strides.
struct SeparablePath: Equatable {
    /// One direction of the walk, in the frame's pixel positions.
    struct Axis: Equatable {
        /// Number of tensor pixels along this direction.
        let count: Int
        /// Pixel position of the tensor's edge.
        let origin: Double
        /// Number of pixels per tensor pixel; negative when mirrored.
        let step: Double
        /// Number of values between neighbours in the tensor.
        let stride: Int
    }

    let horizontal: Axis
    let vertical: Axis

    /// Creates the path of a map.
    ///
    /// - Parameter map: maps tensor pixels to frame pixels.
    /// - Returns: nil for regions that are rotated by other than quarter turns.
    init?(map: FrameTransform, input: TensorInput) {
        let strides = input.strides
        if map.xy == 0, map.yx == 0 {
            horizontal = Axis(count: input.width, origin: map.dx, step: map.xx, stride: strides.x)
            vertical = Axis(count: input.height, origin: map.dy, step: map.yy, stride: strides.y)
        } else if map.xx == 0, map.yy == 0 {
            horizontal = Axis(count: input.height, origin: map.dx, step: map.xy, stride: strides.y)
            vertical = Axis(count: input.width, origin: map.dy, step: map.yx, stride: strides.x)
        } else {
            return nil
        }
    }
}
