/// Writes a model's float output into a mask.
///
/// The writer maps the output back to the frame's stored orientation, resizes and encodes it. Use one writer
/// per stream: it keeps tables and scratch rows.
package final class MaskWriter {
    private let taps = LinearTaps()
    private let inside = ScratchBuffer<Float>()
    private let combined = ScratchBuffer<Float>()
    private let row = ScratchBuffer<Float>()

    /// Creates a writer without scratch memory.
    package init() {}

    /// Fills `mask` from `values`.
    ///
    /// Values are interpolated linearly if sizes differ, with pixel centres aligned. Mask values whose centre
    /// lies outside the model's crop become 0.
    ///
    /// - Parameters:
    ///   - values: `width` x `height` floats of coverage 0...1, row by row; others are clamped.
    ///   - region: maps the model's unit square to the frame's, as given to `TensorSampler`: crops,
    ///     letterboxes and orientations, but not rotated rectangles.
    ///   - interpolates: whether values between two samples are mixed; if not, the nearest one counts, as for labels.
    /// - Throws: `MaskWriterError` when there are too few values or the region is rotated or empty.
    package func write(
        _ values: UnsafeBufferPointer<Float>, width: Int, height: Int, region: FrameTransform = .identity,
        interpolates: Bool = true, into mask: MutableMaskView
    ) throws(MaskWriterError) {
        let sides = 1...ImageView.maximumSide
        guard let base = values.baseAddress, sides.contains(width), sides.contains(height),
            values.count >= width * height
        else { throw .tooFewValues(width: width, height: height, found: values.count) }
        guard let toModel = region.inverse, toModel.isWithinReason,
            let path = Path(toModel, width: width, height: height, interpolates: interpolates)
        else {
            throw .unsupportedRegion
        }
        if region == .identity, width == mask.width, height == mask.height {
            for y in 0..<height { mask.writeRow(y, from: base + y * width) }
        } else {
            resample(base, path, into: mask)
        }
    }

    /// The model's samples along the mask's rows and columns; a quarter turn exchanges the strides.
    private struct Path {
        struct Axis {
            let samples: Int
            let stride: Int
            /// Position of the frame's 0 in the model's unit square, and the distance to the position of its
            /// 1.
            let origin: Double
            let extent: Double
            let interpolates: Bool

            /// Returns the place of the centre of output `index` of `count` in the model's unit square.
            func position(_ index: Int, of count: Int) -> Double {
                origin + extent * (Double(index) + 0.5) / Double(count)
            }

            /// Returns this centre as an index position of the model's samples.
            func indexPosition(_ index: Int, of count: Int) -> Double {
                let position = position(index, of: count) * Double(samples) - 0.5
                return interpolates ? position : position.rounded()
            }

            func isInside(_ index: Int, of count: Int) -> Bool {
                let position = position(index, of: count)
                return position >= 0 && position <= 1
            }
        }

        let horizontal: Axis
        let vertical: Axis

        init?(_ toModel: FrameTransform, width: Int, height: Int, interpolates: Bool) {
            func axis(_ samples: Int, _ stride: Int, _ origin: Double, _ extent: Double) -> Axis {
                Axis(
                    samples: samples, stride: stride, origin: origin, extent: extent,
                    interpolates: interpolates)
            }
            if toModel.xy == 0, toModel.yx == 0 {
                horizontal = axis(width, 1, toModel.dx, toModel.xx)
                vertical = axis(height, width, toModel.dy, toModel.yy)
            } else if toModel.xx == 0, toModel.yy == 0 {
                horizontal = axis(height, width, toModel.dy, toModel.yx)
                vertical = axis(width, 1, toModel.dx, toModel.xy)
            } else {
                return nil
            }
        }
    }

    private func resample(_ values: UnsafePointer<Float>, _ path: Path, into mask: MutableMaskView) {
        let (across, down, width) = (path.horizontal, path.vertical, mask.width)
        taps.build(count: width, samples: across.samples) { across.indexPosition($0, of: width) }
        let (inside, row) = (inside.reserve(width), row.reserve(width))
        for x in 0..<width { inside[x] = across.isInside(x, of: width) ? 1 : 0 }
        let combined = combined.reserve(across.samples + 1)
        for y in 0..<mask.height {
            if down.isInside(y, of: mask.height) {
                let tap = LinearTap(
                    position: down.indexPosition(y, of: mask.height), samples: down.samples)
                let (upper, lower) = (values + tap.first &* down.stride, values + tap.last &* down.stride)
                tap.interpolate(upper, lower, count: across.samples, stride: across.stride) {
                    combined[$0] = $1
                }
                combined[across.samples] = combined[across.samples - 1]
                taps.interpolate(combined, 0..<width) { row[$0] = $1 * inside[$0] }
            } else {
                row.update(repeating: 0, count: width)
            }
            mask.writeRow(y, from: row)
        }
    }
}

/// Reasons for which a model's output could not be converted to a mask.
package enum MaskWriterError: Error, Equatable, CustomStringConvertible {
    /// The model's output is smaller than its stated size, or that size is out of range.
    case tooFewValues(width: Int, height: Int, found: Int)
    /// The region is rotated by other than quarter turns, empty, or a million times the model's size away.
    case unsupportedRegion

    /// A description of the failure, as a sentence.
    package var description: String {
        switch self {
        case .tooFewValues(let width, let height, let found):
            "a mask of \(width)x\(height) cannot be read from \(found) values"
        case .unsupportedRegion:
            "a mask can be mapped back from upright regions and quarter turns only"
        }
    }
}
