import CKernels

/// Scales a mask to a frame on the fly: it returns the alpha of every sample for any row of any plane.
///
/// Each sample gets the mask's value at its own position (chroma at its site; padding at its pixel),
/// interpolated linearly with replicated edges. Where both mask rows around a row are certain, everything
/// between them is too: this is found once for each two mask rows. Only the rest is interpolated, vertically
/// first, at the mask's width. Alpha has 16 bits for all formats: with 8 its own rounding would be visible in
/// addition to that of the blend.
package final class AlphaSampler {
    private let columns = Quad { AlphaColumns() }
    private let evenRow = MaskRow()
    private let oddRow = MaskRow()
    private let row = ScratchBuffer<Float>()
    private let certainty = ScratchBuffer<Certainty.RawValue>()
    private let alphaBuffer = ScratchBuffer<UInt16>()
    private let runBuffer = ScratchBuffer<AlphaRun>()
    private var runCount = 0
    private var plane = 0
    /// The place for which the runs were found.
    private var runPlace = RunPlace(plane: -1, first: 0, last: 0)
    private var tap = LinearTap(position: 0, samples: 1)
    /// The mask rows around the current row.
    private var around: (upper: UnsafePointer<Float>, lower: UnsafePointer<Float>)?
    private var isInterpolated = false
    private var geometry: Geometry?
    private var isInverted = false
    private var steepness: Float = 1
    private var codeMaximum: Float = 255

    /// Alpha of the subject; the scale of decoded rows.
    private static let opaque: Float = 65535

    private struct Geometry: Equatable {
        let format: PixelFormat
        let width: Int
        let height: Int
        let site: Colorimetry.ChromaSite
        let maskWidth: Int
    }

    private struct RunPlace: Equatable {
        let plane: Int
        let first: Int
        let last: Int
    }

    /// Creates a sampler without tables.
    package init() {}

    /// Starts a new frame with its mask; tables are rebuilt only when sizes or format change.
    ///
    /// - Parameters:
    ///   - invert: whether the mask's subject counts as background.
    ///   - steepness: factor of the contrast around one half, after the mask is scaled.
    package func begin(_ frame: ImageView, mask: MaskView, invert: Bool = false, steepness: Float = 1) {
        (evenRow.y, oddRow.y) = (-1, -1)
        runPlace = RunPlace(plane: -1, first: 0, last: 0)
        isInverted = invert
        self.steepness = steepness
        let wanted = Geometry(
            format: frame.format, width: frame.width, height: frame.height,
            site: frame.colorimetry.chromaSite, maskWidth: mask.width)
        guard geometry != wanted else { return }
        geometry = wanted
        let layout = frame.format.layout
        codeMaximum = Float(layout.maximum)
        var samples = 0
        for plane in 0..<layout.planeCount {
            columns[plane].build(frame, plane: plane, maskWidth: mask.width)
            samples = max(samples, columns[plane].count)
        }
        evenRow.reserve(mask.width)
        oddRow.reserve(mask.width)
        row.reserve(mask.width + 1)
        certainty.reserve(mask.width)
        runBuffer.reserve(2 * mask.width + 1)
        alphaBuffer.reserve(samples + AlphaColumns.slack)
    }

    /// Selects row `row` of `plane` as the current row; `frame` and `mask` are those given to `begin`.
    package func selectRow(_ row: Int, plane: Int, of frame: ImageView, mask: MaskView) {
        self.plane = plane
        tap = self.tap(row, plane: plane, of: frame, mask: mask)
        isInterpolated = false
        let place = RunPlace(plane: plane, first: tap.first, last: tap.last)
        guard place != runPlace else { return }
        runPlace = place
        let (upper, lower) = (decodedRow(tap.first, mask), decodedRow(tap.last, mask))
        around = (UnsafePointer(upper.values.base), UnsafePointer(lower.values.base))
        findRuns(upper, lower, maskWidth: mask.width)
    }

    /// Returns the end of the rows, up to `end`, that lie between the same two mask rows as `row`: their runs
    /// are equal.
    func endOfRowsLike(_ row: Int, plane: Int, of frame: ImageView, mask: MaskView, end: Int) -> Int {
        let wanted = tap(row, plane: plane, of: frame, mask: mask)
        var next = row + 1
        while next < end {
            let tap = tap(next, plane: plane, of: frame, mask: mask)
            guard (tap.first, tap.last) == (wanted.first, wanted.last) else { break }
            next += 1
        }
        return next
    }

    /// Returns the tap of the mask rows around a row.
    private func tap(_ row: Int, plane: Int, of frame: ImageView, mask: MaskView) -> LinearTap {
        let axis = columns[plane].vertical
        let pixel = (Double(row) - axis.offset) / axis.scale
        let position = pixel * Double(mask.height) / Double(frame.height) - 0.5
        return LinearTap(position: position, samples: mask.height)
    }

    /// The current row's samples in order, divided by the mask's certainty about them.
    package var runs: UnsafeBufferPointer<AlphaRun> {
        UnsafeBufferPointer(start: runBuffer.base, count: runCount)
    }

    /// Returns the current row's alpha, indexed by sample; only `samples` are filled in.
    package func alpha(_ samples: Range<Int>) -> UnsafePointer<UInt16> {
        interpolateRow()
        let (first, end, alpha) = (samples.lowerBound, samples.upperBound, alphaBuffer.base)
        guard first < end else { return UnsafePointer(alpha) }
        let (spans, fractions) = (columns[plane].spans(from: first), columns[plane].fractions)
        if steepness == 1 {
            kernel_interpolate_alpha(row.base, spans, fractions, alpha, first, end)
        } else {
            kernel_interpolate_steep_alpha(row.base, spans, fractions, steepness, alpha, first, end)
        }
        return UnsafePointer(alpha)
    }

    /// Returns the current row's alpha for all samples.
    package func alphaRow() -> UnsafePointer<UInt16> {
        for run in runs {
            switch run.kind {
            case .soft: _ = alpha(run.samples)
            case .background, .subject:
                (alphaBuffer.base + run.samples.lowerBound).update(
                    repeating: run.kind == .subject ? .max : 0, count: run.samples.count)
            }
        }
        return UnsafePointer(alphaBuffer.base)
    }

    /// Interpolates the current row between the two mask rows around it, unless that has been done.
    private func interpolateRow() {
        guard !isInterpolated, let around else { return }
        isInterpolated = true
        let width = columns[plane].maskWidth
        kernel_interpolate_rows(around.upper, around.lower, tap.fraction, row.base, width)
        row.base[width] = row.base[width - 1]
    }

    /// Returns the buffer for mask row `y`; neighbouring rows differ in parity, so two buffers suffice for
    /// the rows in use.
    private func decoded(_ y: Int) -> MaskRow { y & 1 == 1 ? oddRow : evenRow }

    private func decodedRow(_ y: Int, _ mask: MaskView) -> MaskRow {
        let row = decoded(y)
        guard row.y != y else { return row }
        row.y = y
        // NaN is hidden, inverted or not.
        mask.readRow(y, scale: Self.opaque, undefined: isInverted ? 1 : 0, into: row.values.base)
        if isInverted {
            let values = row.values.base
            for i in 0..<mask.width { values[i] = Self.opaque - values[i] }
        }
        kernel_classify(
            row.values.base, steepness, codeMaximum / Self.opaque, codeMaximum, row.certainty.base, mask.width
        )
        return row
    }

    private func findRuns(_ upper: MaskRow, _ lower: MaskRow, maskWidth: Int) {
        let certainty = certainty.base
        kernel_agree(upper.certainty.base, lower.certainty.base, certainty, maskWidth)
        runCount = 0
        var (column, done) = (0, 0)
        while column < maskWidth {
            let kind = certainty[column]
            let end = endOfRun(from: column, maskWidth: maskWidth)
            defer { column = end }
            guard kind != Certainty.none.rawValue else { continue }
            let samples = columns[plane].samples(within: column..<end)
            let start = max(done, samples.lowerBound)
            guard start < samples.upperBound else { continue }
            append(.soft, done..<start)
            append(
                kind == Certainty.background.rawValue ? .background : .subject, start..<samples.upperBound)
            done = samples.upperBound
        }
        append(.soft, done..<max(done, columns[plane].count))
    }

    private func append(_ kind: AlphaRun.Kind, _ samples: Range<Int>) {
        guard !samples.isEmpty else { return }
        runBuffer.base[runCount] = AlphaRun(kind: kind, samples: samples)
        runCount &+= 1
    }

    /// Returns the end of the mask columns that equal column `start`; compares eight at a time.
    private func endOfRun(from start: Int, maskWidth: Int) -> Int {
        let certainty = certainty.base
        let kind = certainty[start]
        let eight = UInt64(kind) &* 0x0101_0101_0101_0101
        var column = start &+ 1
        while column &+ 8 <= maskWidth,
            UnsafeRawPointer(certainty + column).loadUnaligned(as: UInt64.self) == eight
        {
            column &+= 8
        }
        while column < maskWidth, certainty[column] == kind { column &+= 1 }
        return column
    }
}

/// The certainty of a mask's value at the format's depth: only 0 and the largest code are certain.
private enum Certainty: UInt8 {
    case background
    case none
    case subject
}

/// A mask's row as floats, 0...65535, and the certainty of its values.
private final class MaskRow {
    var y = -1
    let values = ScratchBuffer<Float>()
    let certainty = ScratchBuffer<Certainty.RawValue>()

    func reserve(_ width: Int) {
        values.reserve(width)
        certainty.reserve(width)
    }
}

/// Consecutive samples of a row that have the same kind of alpha.
package struct AlphaRun: Equatable, BitwiseCopyable {
    /// The kind of alpha.
    package enum Kind: Equatable, BitwiseCopyable {
        /// Alpha is 0: only background is visible.
        case background
        /// Alpha is full: only the frame is visible.
        case subject
        /// Alpha differs from sample to sample.
        case soft
    }

    /// The kind of alpha.
    package let kind: Kind
    /// The samples, counted from the row's first.
    package var samples: Range<Int> { first..<max(first, end) }
    private let first: Int
    private let end: Int

    init(kind: Kind, samples: Range<Int>) {
        self.kind = kind
        first = samples.lowerBound
        end = samples.upperBound
    }
}

/// The mask columns between which each sample of a plane's row lies.
final class AlphaColumns {
    private let firstBuffer = ScratchBuffer<Int32>()
    private let endBuffer = ScratchBuffer<Int32>()
    private let fractionBuffer = ScratchBuffer<Float>()
    private let spanBuffer = ScratchBuffer<kernel_alpha_span>()
    /// The number of each sample's span.
    private let spanNumbers = ScratchBuffer<Int32>()
    /// The plane's vertical direction.
    private(set) var vertical = SampleAxis(count: 1, shift: 0, cosited: false)
    /// Number of samples of a row.
    private(set) var count = 0
    /// Number of columns of the mask.
    private(set) var maskWidth = 0

    /// Number of samples beyond a row that the kernels may read and write.
    static let slack = Int(KERNEL_ALPHA_BLOCK) - 1

    /// Builds the table for masks of `maskWidth` columns.
    func build(_ frame: ImageView, plane: Int, maskWidth: Int) {
        self.maskWidth = maskWidth
        let layout = frame.format.layout
        vertical = layout.verticalAxis(
            plane: plane, height: frame.height, site: frame.colorimetry.chromaSite)
        let columnsPerPixel = Double(maskWidth) / Double(frame.width)
        buildSpans(count: layout.rowSamples(plane: plane, width: frame.width)) { sample in
            let position = Self.pixelPosition(ofSample: sample, plane: plane, frame, layout)
            return LinearTap(position: position * columnsPerPixel - 0.5, samples: maskWidth)
        }
        buildBounds(maskWidth: maskWidth)
    }

    private func buildSpans(count: Int, tap: (_ sample: Int) -> LinearTap) {
        self.count = count
        let fractions = fractionBuffer.reserve(count + Self.slack)
        let (spans, numbers) = (spanBuffer.reserve(count), spanNumbers.reserve(count))
        (fractions + count).update(repeating: 0, count: Self.slack)
        var number = -1
        for sample in 0..<count {
            let tap = tap(sample)
            if number < 0 || spans[number].column != tap.index {
                number += 1
                spans[number].column = tap.index
            }
            spans[number].end = Int32(truncatingIfNeeded: sample + 1)
            (fractions[sample], numbers[sample]) = (tap.fraction, Int32(truncatingIfNeeded: number))
        }
    }

    /// The distance of each sample from its column, as a share of that to the next one, 0...1.
    var fractions: UnsafePointer<Float> { UnsafePointer(fractionBuffer.base) }

    /// Returns the spans from that of `sample` on.
    func spans(from sample: Int) -> UnsafePointer<kernel_alpha_span> {
        UnsafePointer(spanBuffer.base + Int(spanNumbers.base[sample]))
    }

    /// Returns the continuous pixel position of a sample.
    private static func pixelPosition(
        ofSample index: Int, plane: Int, _ frame: ImageView, _ layout: PixelLayout
    ) -> Double {
        switch layout.owner(ofSample: index, plane: plane) {
        case .part(let part, let sample):
            let axis = layout.part(part).horizontalAxis(
                width: frame.width, site: frame.colorimetry.chromaSite)
            return (Double(sample) - axis.offset) / axis.scale
        case .padding(let pixel):
            return Double(pixel) + 0.5
        }
    }

    private func tap(_ sample: Int) -> LinearTap {
        LinearTap(index: spans(from: sample).pointee.column, fraction: fractions[sample])
    }

    /// Computes running extremes as bounds, because samples of a packed row are not quite in the order of
    /// their positions: chroma may lie left of the luma before it.
    private func buildBounds(maskWidth: Int) {
        let (firsts, ends) = (firstBuffer.reserve(maskWidth), endBuffer.reserve(maskWidth))
        firsts.update(repeating: 0, count: maskWidth)
        ends.update(repeating: Int32(truncatingIfNeeded: count), count: maskWidth)
        for index in 0..<count {
            let left = tap(index).first
            if left + 1 < maskWidth { firsts[left + 1] = Int32(truncatingIfNeeded: index + 1) }
        }
        for index in (0..<count).reversed() where tap(index).last > 0 {
            ends[tap(index).last - 1] = Int32(truncatingIfNeeded: index)
        }
        for column in 1..<max(1, maskWidth) { firsts[column] = max(firsts[column], firsts[column - 1]) }
        for column in (0..<(maskWidth - 1)).reversed() { ends[column] = min(ends[column], ends[column + 1]) }
    }

    /// Returns the samples that depend on mask columns `columns` only; empty if there are none.
    func samples(within columns: Range<Int>) -> Range<Int> {
        let first = Int(firstBuffer.base[columns.lowerBound])
        return first..<max(first, Int(endBuffer.base[columns.upperBound &- 1]))
    }
}
