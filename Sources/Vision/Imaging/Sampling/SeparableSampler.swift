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

/// The samples of a row (or column) that each output is computed from, and their weights.
///
/// An output averages a box around its position over the cells of the samples. A box one sample wide has
/// exactly the two weights of linear interpolation; a wider box is the area average that avoids aliasing.
/// Every output has the same number of taps (filled up with zero weights), so that the loops over them need
/// no tests.
final class AxisTaps {
    /// Number of samples that one output reads, at least one.
    private(set) var tapCount = 1
    /// Lowest sample index that any output reads.
    private(set) var first = 0
    /// One past the highest sample index that any output reads.
    private(set) var end = 1
    private let startBuffer = ScratchBuffer<Int32>()
    private let weightBuffer = ScratchBuffer<Float>()
    private let coverageBuffer = ScratchBuffer<Float>()

    /// Index of each output's first sample.
    var starts: UnsafePointer<Int32> { UnsafePointer(startBuffer.base) }
    /// The weights, `tapCount` per output.
    var weights: UnsafePointer<Float> { UnsafePointer(weightBuffer.base) }
    /// Sum of each output's weights; below 1 if the box reaches out of a frame with a black border.
    var coverage: UnsafePointer<Float> { UnsafePointer(coverageBuffer.base) }

    /// Whether every output is one sample.
    private(set) var isSingle = false

    /// Builds the table for outputs at index positions `origin` + (i + 0.5) `step`.
    func build(
        outputs: Int, samples: Int, origin: Double, step: Double, filter: TensorSampler.Filter,
        border: TensorSampler.Border
    ) {
        let boxWidth = filter == .area ? max(1, abs(step)) : 1
        tapCount = boxWidth < Double(samples) ? min(samples, Int(boxWidth.rounded(.up)) + 1) : samples
        (first, end) = (samples, 0)
        let starts = startBuffer.reserve(outputs)
        weightBuffer.reserve(outputs * tapCount).update(repeating: 0, count: outputs * tapCount)
        coverageBuffer.reserve(outputs)
        for output in 0..<outputs {
            let position = origin + (Double(output) + 0.5) * step
            let box = Box(low: position - boxWidth / 2, high: position + boxWidth / 2, border: border)
            let firstTouched = box.clampedIndex(of: box.low, samples: samples)
            let start = min(firstTouched, samples - tapCount)
            starts[output] = Int32(truncatingIfNeeded: start)
            fill(output: output, start: start, samples: samples, box: box)
            first = min(first, start)
            end = max(end, start + tapCount)
        }
        isSingle = tapCount == 2 && (0..<outputs).allSatisfy { weightBuffer.base[2 * $0 + 1] == 0 }
    }

    private func fill(output: Int, start: Int, samples: Int, box: Box) {
        let weights = weightBuffer.base + output * tapCount
        var sum: Float = 0
        for tap in 0..<tapCount {
            let weight = Float(box.share(ofSample: start + tap, samples: samples))
            weights[tap] = weight
            sum += weight
        }
        coverageBuffer.base[output] = box.border == .black ? sum : 1
    }
}

/// The interval of index positions that one output averages.
private struct Box {
    let low: Double
    let high: Double
    let border: TensorSampler.Border

    /// Returns the sample whose cell contains `position`, or the nearest one.
    func clampedIndex(of position: Double, samples: Int) -> Int {
        Int(min(max((position + 0.5).rounded(.down), 0), Double(samples - 1)))
    }

    /// Returns the share of the box in the cell of sample `index`.
    ///
    /// A replicated border is an edge cell without an outer end.
    func share(ofSample index: Int, samples: Int) -> Double {
        var (cellLow, cellHigh) = (Double(index) - 0.5, Double(index) + 0.5)
        if border == .replicate {
            if index == 0 { cellLow = -.infinity }
            if index == samples - 1 { cellHigh = .infinity }
        }
        return max(0, min(high, cellHigh) - max(low, cellLow)) / (high - low)
    }
}

/// The inner loops of separable resampling.
enum RowKernels {
    /// Computes the weighted sum of the source rows of tensor row `output`.
    static func combine<Sample: PixelSample>(
        _ plane: Plane, _: Sample.Type, samples: Range<Int>, taps: AxisTaps, output: Int,
        into sums: UnsafeMutablePointer<Float>
    ) {
        let weights = taps.weights + output &* taps.tapCount
        let start = Int(taps.starts[output])
        var tap = 0
        while tap < taps.tapCount {
            let isPair = tap &+ 1 < taps.tapCount
            let upper: UnsafePointer<Sample> = plane.samples(start &+ tap) + samples.lowerBound
            let lower = isPair ? plane.samples(start &+ tap &+ 1) + samples.lowerBound : upper
            let (upperWeight, lowerWeight) = (weights[tap], isPair ? weights[tap &+ 1] : 0)
            if tap == 0 {
                setSum(upper, upperWeight, lower, lowerWeight, count: samples.count, into: sums)
            } else if upperWeight != 0 || lowerWeight != 0 {
                addSum(upper, upperWeight, lower, lowerWeight, count: samples.count, into: sums)
            }
            tap &+= 2
        }
    }

    private static func setSum<Sample: PixelSample>(
        _ a: UnsafePointer<Sample>, _ weightA: Float, _ b: UnsafePointer<Sample>, _ weightB: Float,
        count: Int, into sums: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<count { sums[i] = a[i].float * weightA + b[i].float * weightB }
    }

    private static func addSum<Sample: PixelSample>(
        _ a: UnsafePointer<Sample>, _ weightA: Float, _ b: UnsafePointer<Sample>, _ weightB: Float,
        count: Int, into sums: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<count { sums[i] += a[i].float * weightA + b[i].float * weightB }
    }

    /// Writes column i of four rows to vector i; `count` is in vectors of four columns.
    static func interleave(
        _ row0: UnsafePointer<Float>, _ row1: UnsafePointer<Float>, _ row2: UnsafePointer<Float>,
        _ row3: UnsafePointer<Float>, count: Int, into columns: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        for vector in 0..<count {
            let i = vector &* 4
            let a = UnsafeRawPointer(row0 + i).loadUnaligned(as: SIMD4<Float>.self)
            let b = UnsafeRawPointer(row1 + i).loadUnaligned(as: SIMD4<Float>.self)
            let c = UnsafeRawPointer(row2 + i).loadUnaligned(as: SIMD4<Float>.self)
            let d = UnsafeRawPointer(row3 + i).loadUnaligned(as: SIMD4<Float>.self)
            columns[i] = SIMD4(a[0], b[0], c[0], d[0])
            columns[i &+ 1] = SIMD4(a[1], b[1], c[1], d[1])
            columns[i &+ 2] = SIMD4(a[2], b[2], c[2], d[2])
            columns[i &+ 3] = SIMD4(a[3], b[3], c[3], d[3])
        }
    }

    /// Computes the weighted sums of columns, minus `bias` times the share of the box that lies in the frame.
    static func resample(
        _ columns: UnsafePointer<SIMD4<Float>>, sampleStride: Int, taps: AxisTaps, bias: SIMD4<Float>,
        into sums: UnsafeMutablePointer<SIMD4<Float>>, count: Int
    ) {
        let (starts, coverage, tapCount) = (taps.starts, taps.coverage, taps.tapCount)
        var weights = taps.weights
        for i in 0..<count {
            var column = columns + Int(starts[i]) &* sampleStride
            var sum = -bias * coverage[i]
            for tap in 0..<tapCount {
                sum += column.pointee * weights[tap]
                column += sampleStride
            }
            weights += tapCount
            sums[i] = sum
        }
    }
}
