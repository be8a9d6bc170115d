import CKernels

/// Shows a part of an image at another size, in the image's own format.
///
/// Each output sample is computed from the samples around it (see `ScalingTaps`); components, alpha too, are scaled by
/// themselves. Each row of the output is combined from rows of the input, and then scaled, so that the image passes the
/// processor once.
package final class ImageScaler {
    private let bytes = RowScaler<UInt8>()
    private let words = RowScaler<UInt16>()

    /// Creates a scaler without tables.
    package init() {}

    /// Fills `target` with a part of `source`.
    ///
    /// Does nothing if the formats differ, or the part is not in the image.
    ///
    /// - Parameter part: a rectangle in the unit square of `source`.
    package func scale(_ part: Rectangle, of source: ImageView, into target: MutableImageView) {
        let inside = -1e-6...(1 + 1e-6)
        guard source.format == target.format, part.width > 0, part.height > 0, inside.contains(part.x),
            inside.contains(part.y), inside.contains(part.x + part.width),
            inside.contains(part.y + part.height)
        else { return }
        if source.format.layout.bytesPerSample == 1 {
            bytes.scale(part, of: source, into: target)
        } else {
            words.scale(part, of: source, into: target)
        }
    }
}

/// Scales images of one kind of sample.
private final class RowScaler<Sample: ScalableSample> {
    private let columns = Quad { ScalingTaps() }
    private let rows = Quad { ScalingTaps() }
    private let combined = ScratchBuffer<Sample.Weight>()
    private let picked = ScratchBuffer<Sample.Weight>()
    private var geometry: Geometry?

    /// The settings that the tables depend on.
    private struct Geometry: Equatable {
        let part: Rectangle
        let format: PixelFormat
        let site: Colorimetry.ChromaSite
        let (sourceWidth, sourceHeight, width, height): (Int, Int, Int, Int)
    }

    func scale(_ part: Rectangle, of source: ImageView, into target: MutableImageView) {
        prepare(part, source, target)
        let layout = source.format.layout
        for plane in 0..<layout.planeCount {
            for y in 0..<layout.rows(plane: plane, height: target.height) {
                fill(target.plane(plane).samples(y), y, of: plane, source, width: target.width)
            }
        }
    }

    private func prepare(_ part: Rectangle, _ source: ImageView, _ target: MutableImageView) {
        let site = source.colorimetry.chromaSite
        let wanted = Geometry(
            part: part, format: source.format, site: site, sourceWidth: source.width,
            sourceHeight: source.height,
            width: target.width, height: target.height)
        guard wanted != geometry else { return }
        geometry = wanted
        let layout = source.format.layout
        for index in 0..<layout.partCount {
            let component = layout.part(index)
            build(
                columns[index], component.horizontalAxis(width: source.width, site: site),
                component.horizontalAxis(width: target.width, site: site),
                from: part.x * Double(source.width),
                step: part.width * Double(source.width) / Double(target.width), isPadded: true)
            build(
                rows[component.plane], component.verticalAxis(height: source.height, site: site),
                component.verticalAxis(height: target.height, site: site),
                from: part.y * Double(source.height),
                step: part.height * Double(source.height) / Double(target.height), isPadded: false)
            let longest = layout.rowSamples(plane: component.plane, width: source.width)
            // Taps without weight are read beyond the last value.
            let spare = 4 * (columns[index].tapCount + 1)
            combined.reserve(longest + spare).update(repeating: 0, count: longest + spare)
            picked.reserve(longest + spare).update(repeating: 0, count: longest + spare)
        }
    }

    private func build(
        _ taps: ScalingTaps, _ source: SampleAxis, _ target: SampleAxis, from origin: Double, step: Double,
        isPadded: Bool
    ) {
        // Position of the target's first sample, in its pixels, and of that place in the source.
        let first = -target.offset / target.scale
        taps.build(
            outputs: target.count, samples: source.count,
            origin: (origin + first * step) * source.scale + source.offset,
            step: step * source.scale / target.scale, isPadded: isPadded)
    }

    /// Fills row `y` of a plane.
    private func fill(
        _ row: UnsafeMutablePointer<Sample>, _ y: Int, of plane: Int, _ source: ImageView, width: Int
    ) {
        let layout = source.format.layout
        let pixelStep = layout.pixelStep(plane: plane)
        var (low, high) = (Int.max, 0)
        for index in 0..<layout.partCount where layout.part(index).plane == plane {
            let (component, taps) = (layout.part(index), columns[index])
            if let pixelStep {
                (low, high) = (taps.first * pixelStep, taps.end * pixelStep)
            } else {
                low = min(low, component.first + taps.first * component.step)
                high = max(high, component.first + (taps.end - 1) * component.step + 1)
            }
        }
        let taps = rows[plane]
        let image = source.plane(plane)
        let samples: UnsafePointer<Sample> = image.samples(Int(taps.starts[y]))
        Sample.weighRows(
            samples + low, stride: image.stride / MemoryLayout<Sample>.size, taps, y,
            into: combined.base + low,
            count: high - low)
        if let pixelStep {
            Sample.weighPixels(
                combined.base, columns[0], into: row, step: pixelStep, layout, count: width)
        } else {
            weighComponents(of: plane, layout, into: row, width: width)
        }
    }

    /// Fills a row of a plane from its combined rows, component by component.
    private func weighComponents(
        of plane: Int, _ layout: PixelLayout, into row: UnsafeMutablePointer<Sample>, width: Int
    ) {
        for index in 0..<layout.partCount where layout.part(index).plane == plane {
            let (component, taps) = (layout.part(index), columns[index])
            var values = combined.base
            if component.step > 1 {
                let first = taps.first
                Sample.pick(
                    combined.base + component.first + first * component.step, step: component.step,
                    into: picked.base + first, count: taps.end - first)
                values = picked.base
            }
            Sample.weighValues(
                values, taps, into: row + component.first, component, layout,
                count: component.sampleWidth(width))
        }
    }
}

extension PixelLayout {
    /// Number of samples of each pixel in a plane whose pixels lie side by side as 3 or 4, those that belong to no component
    /// among them; nil for other planes.
    fileprivate func pixelStep(plane: Int) -> Int? {
        guard planeCount == 1, (3...4).contains(part(0).step) else { return nil }
        for index in 1..<partCount where part(index).step != part(0).step { return nil }
        return part(0).step
    }
}

/// The kernels of scaling that exist for either kind of sample.
private protocol ScalableSample: PixelSample {
    /// A weight, or a weighted sum on the way.
    associatedtype Weight: BitwiseCopyable & ExpressibleByIntegerLiteral
    /// Combines rows for output row `y`; see `kernel_weigh_rows_u8`.
    static func weighRows(
        _ rows: UnsafePointer<Self>, stride: Int, _ taps: ScalingTaps, _ y: Int,
        into values: UnsafeMutablePointer<Weight>,
        count: Int)
    /// Picks every `step`-th value.
    static func pick(
        _ values: UnsafePointer<Weight>, step: Int, into part: UnsafeMutablePointer<Weight>, count: Int)
    /// Writes a component of a row; see `kernel_weigh_values_u8`.
    static func weighValues(
        _ values: UnsafePointer<Weight>, _ taps: ScalingTaps, into row: UnsafeMutablePointer<Self>,
        _ component: ComponentLayout, _ layout: PixelLayout, count: Int)
    /// Writes a row of pixels; see `kernel_weigh_pixels_u8`.
    static func weighPixels(
        _ values: UnsafePointer<Weight>, _ taps: ScalingTaps, into row: UnsafeMutablePointer<Self>, step: Int,
        _ layout: PixelLayout, count: Int)
}

extension UInt8: ScalableSample {
    static func weighRows(
        _ rows: UnsafePointer<UInt8>, stride: Int, _ taps: ScalingTaps, _ y: Int,
        into values: UnsafeMutablePointer<Int16>, count: Int
    ) {
        kernel_weigh_rows_u8(
            rows, stride, taps.wholeWeights + y &* taps.tapCount, taps.tapCount, values, count)
    }

    static func pick(
        _ values: UnsafePointer<Int16>, step: Int, into part: UnsafeMutablePointer<Int16>, count: Int
    ) { kernel_pick_values_u8(values, step, part, count) }

    static func weighValues(
        _ values: UnsafePointer<Int16>, _ taps: ScalingTaps, into row: UnsafeMutablePointer<UInt8>,
        _ component: ComponentLayout, _ layout: PixelLayout, count: Int
    ) {
        kernel_weigh_values_u8(
            values, taps.starts, taps.wholeWeights, taps.tapCount, row, component.step, count)
    }

    static func weighPixels(
        _ values: UnsafePointer<Int16>, _ taps: ScalingTaps, into row: UnsafeMutablePointer<UInt8>, step: Int,
        _ layout: PixelLayout, count: Int
    ) {
        kernel_weigh_pixels_u8(values, taps.starts, taps.wholeWeights, taps.tapCount, row, step, count)
    }
}

extension UInt16: ScalableSample {
    static func weighRows(
        _ rows: UnsafePointer<UInt16>, stride: Int, _ taps: ScalingTaps, _ y: Int,
        into values: UnsafeMutablePointer<Float>, count: Int
    ) { kernel_weigh_rows_u16(rows, stride, taps.weights + y &* taps.tapCount, taps.tapCount, values, count) }

    static func pick(
        _ values: UnsafePointer<Float>, step: Int, into part: UnsafeMutablePointer<Float>, count: Int
    ) { kernel_pick_values_u16(values, step, part, count) }

    static func weighValues(
        _ values: UnsafePointer<Float>, _ taps: ScalingTaps, into row: UnsafeMutablePointer<UInt16>,
        _ component: ComponentLayout, _ layout: PixelLayout, count: Int
    ) {
        kernel_weigh_values_u16(
            values, taps.starts, taps.weights, taps.tapCount, row, component.step, Float(layout.maximum),
            layout.shift,
            count)
    }

    static func weighPixels(
        _ values: UnsafePointer<Float>, _ taps: ScalingTaps, into row: UnsafeMutablePointer<UInt16>,
        step: Int, _ layout: PixelLayout, count: Int
    ) {
        kernel_weigh_pixels_u16(
            values, taps.starts, taps.weights, taps.tapCount, row, Float(layout.maximum), layout.shift, count)
    }
}

/// The samples of a row or column that each sample of a scaled image is computed from, and their weights.
///
/// The filter is the cubic one of Catmull and Rom ("A class of local interpolating splines", 1974), which keeps edges sharp.
/// The filter is wider by as much as the image shrinks, so that nothing aliases. Beyond the image its edge is repeated.
final class ScalingTaps {
    /// Number of samples of which each output is the sum.
    private(set) var tapCount = 1
    private let startBuffer = ScratchBuffer<Int32>()
    private let wholeBuffer = ScratchBuffer<Int16>()
    private let weightBuffer = ScratchBuffer<Float>()

    /// Index of each output's first sample; at most `tapCount` samples before the end, where the image has so many.
    var starts: UnsafePointer<Int32> { UnsafePointer(startBuffer.base) }
    /// The weights in 1/16384, `tapCount` for each output; their sum is 16384.
    var wholeWeights: UnsafePointer<Int16> { UnsafePointer(wholeBuffer.base) }
    /// The weights, `tapCount` for each output; their sum is 1.
    var weights: UnsafePointer<Float> { UnsafePointer(weightBuffer.base) }
    /// Lowest and highest index of a sample with a weight, and the number of samples that may be read from the lowest on.
    private(set) var (first, end) = (0, 1)

    /// Weight of a whole number.
    private static let unit = 16384.0

    /// Builds the tables.
    ///
    /// - Parameters:
    ///   - outputs: number of outputs, at index positions `origin` + i `step` of the samples.
    ///   - samples: number of samples.
    ///   - isPadded: whether `tapCount` becomes 4 or a multiple of 8, as the kernels for values need it. Taps beyond the last
    ///     sample have no weight.
    func build(outputs: Int, samples: Int, origin: Double, step: Double, isPadded: Bool) {
        let scale = max(1, step)
        let width = Int((4 * scale).rounded(.up))
        let touched = min(samples, width)
        tapCount = !isPadded ? touched : touched <= 4 ? 4 : (touched + 7) / 8 * 8
        (first, end) = (samples, 0)
        let starts = startBuffer.reserve(outputs)
        wholeBuffer.reserve(outputs * tapCount).update(repeating: 0, count: outputs * tapCount)
        weightBuffer.reserve(outputs * tapCount).update(repeating: 0, count: outputs * tapCount)
        for output in 0..<outputs {
            let position = origin + Double(output) * step
            let lowest = Self.whole((position - 2 * scale).rounded(.down) + 1)
            let start = min(max(lowest, 0), samples - touched)
            starts[output] = Int32(truncatingIfNeeded: start)
            let own = weightBuffer.base + output * tapCount
            for tap in 0..<width {
                let index = lowest + tap
                let inside = min(max(index, start), start + touched - 1)
                own[inside - start] += Float(Self.filter((Double(index) - position) / scale))
            }
            normalise(output, own, touched)
            (first, end) = (min(first, start), max(end, start + touched))
        }
    }

    private func normalise(_ output: Int, _ own: UnsafeMutablePointer<Float>, _ touched: Int) {
        var sum: Float = 0
        for tap in 0..<touched { sum += own[tap] }
        let whole = wholeBuffer.base + output * tapCount
        // Sums are rounded instead of weights, so that no error adds up.
        var (share, last) = (0.0, 0.0)
        for tap in 0..<touched {
            own[tap] /= sum
            share += Double(own[tap])
            let rounded = (share * Self.unit).rounded()
            whole[tap] = Int16(truncatingIfNeeded: Int(rounded - last))
            last = rounded
        }
    }

    /// The cubic of Catmull and Rom at a distance in samples.
    private static func filter(_ distance: Double) -> Double {
        let x = abs(distance)
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
        return 0
    }

    /// Returns a whole number as one that fits 32 bits.
    private static func whole(_ value: Double) -> Int { Int(min(max(value, -0x1p31), 0x1p31)) }
}
