/// Scales a mask to a frame on the fly: for any row of any plane, the alpha of every sample.
///
/// Each sample gets the mask's value at its own position (chroma at its site; padding at its pixel),
/// interpolated linearly with replicated edges. Rows are interpolated vertically first, at the mask's
/// width; most of a row is then certain and never expanded. Alpha has 16 bits for all formats: with 8 its own
/// rounding would show beside that of the blend.
package final class AlphaSampler {
    private let columns = Quad { AlphaColumns() }
    private let decoded = (ScratchBuffer<Float>(), ScratchBuffer<Float>())
    private var decodedRows = (-1, -1)
    private let row = ScratchBuffer<Float>()
    /// The row at the format's depth: nothing but 0 and `codeMaximum` is certain.
    private let codes = ScratchBuffer<UInt16>()
    private let alphaBuffer = ScratchBuffer<UInt16>()
    private let runBuffer = ScratchBuffer<AlphaRun>()
    private var runCount = 0
    private var plane = 0
    private var geometry: Geometry?
    private var isInverted = false
    private var steepness: Float = 1
    private var codeMaximum: UInt16 = 255

    /// Alpha of the subject; the scale of decoded rows.
    private static let opaque: Float = 65535

    private struct Geometry: Equatable {
        let format: PixelFormat
        let width: Int
        let height: Int
        let site: Colorimetry.ChromaSite
        let maskWidth: Int
    }

    /// A scaler without tables yet.
    package init() {}

    /// Starts a new frame with its mask; tables are rebuilt only when sizes or format change.
    ///
    /// - Parameters:
    ///   - invert: whether the mask's subject counts as background.
    ///   - steepness: by how much contrast around one half is raised, after the mask is scaled.
    package func begin(_ frame: ImageView, mask: MaskView, invert: Bool = false, steepness: Float = 1) {
        decodedRows = (-1, -1)
        isInverted = invert
        self.steepness = steepness
        let wanted = Geometry(
            format: frame.format, width: frame.width, height: frame.height,
            site: frame.colorimetry.chromaSite, maskWidth: mask.width)
        guard geometry != wanted else { return }
        geometry = wanted
        let layout = frame.format.layout
        codeMaximum = UInt16(truncatingIfNeeded: layout.maximum)
        var samples = 0
        for plane in 0..<layout.planeCount {
            columns[plane].build(frame, plane: plane, maskWidth: mask.width)
            samples = max(samples, columns[plane].count)
        }
        for buffer in [decoded.0, decoded.1, row] { buffer.reserve(mask.width + 1) }
        codes.reserve(mask.width)
        runBuffer.reserve(2 * mask.width + 1)
        alphaBuffer.reserve(samples)
    }

    /// Makes row `row` of `plane` the current row; `frame` and `mask` are those given to `begin`.
    package func selectRow(_ row: Int, plane: Int, of frame: ImageView, mask: MaskView) {
        self.plane = plane
        let axis = columns[plane].vertical
        let pixel = (Double(row) - axis.offset) / axis.scale
        let position = pixel * Double(mask.height) / Double(frame.height) - 0.5
        interpolate(LinearTap(position: position, samples: mask.height), mask)
        findRuns(maskWidth: mask.width)
    }

    /// The current row's samples in order, divided by what the mask says about them.
    package var runs: UnsafeBufferPointer<AlphaRun> {
        UnsafeBufferPointer(start: runBuffer.base, count: runCount)
    }

    /// The current row's alpha, indexed by sample; only `samples` are filled in.
    package func alpha(_ samples: Range<Int>) -> UnsafePointer<UInt16> {
        guard steepness == 1 else { return steepAlpha(samples) }
        let alpha = alphaBuffer.base
        columns[plane].taps.interpolate(row.base, samples) { alpha[$0] = .rounded($1) }
        return UnsafePointer(alpha)
    }

    private func steepAlpha(_ samples: Range<Int>) -> UnsafePointer<UInt16> {
        let (alpha, half, steepness) = (alphaBuffer.base, Self.opaque / 2, steepness)
        columns[plane].taps.interpolate(row.base, samples) {
            alpha[$0] = .rounded(max(0, min(($1 - half) * steepness + half, Self.opaque)))
        }
        return UnsafePointer(alpha)
    }

    /// The current row's alpha, all samples.
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

    private func interpolate(_ tap: LinearTap, _ mask: MaskView) {
        let upper = decodedRow(tap.first, mask)
        let lower = decodedRow(tap.last, mask)
        let (row, codes, codesPerUnit) = (row.base, codes.base, codeMaximum.float / Self.opaque)
        tap.interpolate(upper, lower, count: mask.width) { column, value in
            row[column] = value
            codes[column] = .rounded(value * codesPerUnit)
        }
        row[mask.width] = row[mask.width - 1]
    }

    /// Neighbouring rows differ in parity, so that two buffers hold the two rows in use.
    private func decodedRow(_ y: Int, _ mask: MaskView) -> UnsafePointer<Float> {
        let isOdd = y & 1 == 1
        let buffer = isOdd ? decoded.1.base : decoded.0.base
        if (isOdd ? decodedRows.1 : decodedRows.0) != y {
            mask.readRow(y, scale: Self.opaque, into: buffer)
            if isInverted {
                for i in 0..<mask.width { buffer[i] = Self.opaque - buffer[i] }
            }
            if isOdd { decodedRows.1 = y } else { decodedRows.0 = y }
        }
        return UnsafePointer(buffer)
    }

    private func findRuns(maskWidth: Int) {
        runCount = 0
        var (column, done) = (0, 0)
        while column < maskWidth {
            let code = codes.base[column]
            guard code == 0 || code == codeMaximum else {
                column &+= 1
                continue
            }
            let end = endOfRun(from: column, maskWidth: maskWidth)
            let samples = columns[plane].samples(within: column..<end)
            let start = max(done, samples.lowerBound)
            if start < samples.upperBound {
                append(.soft, done..<start)
                append(code == 0 ? .background : .subject, start..<samples.upperBound)
                done = samples.upperBound
            }
            column = end
        }
        append(.soft, done..<max(done, columns[plane].count))
    }

    private func append(_ kind: AlphaRun.Kind, _ samples: Range<Int>) {
        guard !samples.isEmpty else { return }
        runBuffer.base[runCount] = AlphaRun(kind: kind, samples: samples)
        runCount &+= 1
    }

    /// One past the last mask column that equals column `start`; four at a time.
    private func endOfRun(from start: Int, maskWidth: Int) -> Int {
        let codes = codes.base
        let code = codes[start]
        let four = UInt64(code) &* 0x0001_0001_0001_0001
        var column = start &+ 1
        while column &+ 4 <= maskWidth,
            UnsafeRawPointer(codes + column).loadUnaligned(as: UInt64.self) == four
        {
            column &+= 4
        }
        while column < maskWidth, codes[column] == code { column &+= 1 }
        return column
    }
}

/// Consecutive samples of a row that the mask treats alike.
package struct AlphaRun: Equatable, BitwiseCopyable {
    /// What the mask says about the samples.
    package enum Kind: Equatable, BitwiseCopyable {
        /// Alpha is 0: only background is seen.
        case background
        /// Alpha is full: only the frame is seen.
        case subject
        /// Alpha differs from sample to sample.
        case soft
    }

    /// What the mask says.
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
