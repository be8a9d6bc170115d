/// Scales a mask to a frame on the fly: for any row of any plane, the alpha of every byte.
///
/// Each byte gets the mask's value at its own sample's position (chroma at its site; alpha and padding
/// bytes at their pixel), interpolated linearly with replicated edges. Rows are interpolated vertically
/// first, at the mask's width; most of a row is then certain (0 or 255) and never expanded.
package final class MaskScaler {
    /// Alpha of the subject; the scale of decoded rows.
    private static let opaque: Float = 255

    private let columns = Triple { MaskColumns() }
    private let decoded = (ScratchBuffer<Float>(), ScratchBuffer<Float>())
    private var decodedRows = (-1, -1)
    private let row = ScratchBuffer<Float>()
    private let rounded = ScratchBuffer<UInt8>()
    private let alphaBuffer = ScratchBuffer<UInt8>()
    private let runBuffer = ScratchBuffer<MaskRun>()
    private var runCount = 0
    private var plane = 0
    private var geometry: Geometry?

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
    package func begin(_ frame: ImageView, mask: MaskView) {
        decodedRows = (-1, -1)
        let wanted = Geometry(
            format: frame.format, width: frame.width, height: frame.height,
            site: frame.colorimetry.chromaSite, maskWidth: mask.width)
        guard geometry != wanted else { return }
        geometry = wanted
        var bytes = 0
        for plane in 0..<frame.format.layout.planeCount {
            columns[plane].build(frame, plane: plane, maskWidth: mask.width)
            bytes = max(bytes, columns[plane].byteCount)
        }
        for buffer in [decoded.0, decoded.1, row] { buffer.reserve(mask.width + 1) }
        rounded.reserve(mask.width)
        runBuffer.reserve(2 * mask.width + 1)
        alphaBuffer.reserve(bytes)
    }

    /// Makes row `row` of `plane` the current row; `frame` and `mask` are those given to `begin`.
    package func selectRow(_ row: Int, plane: Int, of frame: ImageView, mask: MaskView) {
        self.plane = plane
        let axis = frame.format.layout.verticalAxis(
            plane: plane, height: frame.height, site: frame.colorimetry.chromaSite)
        let pixel = (Double(row) - axis.offset) / axis.scale
        let position = pixel * Double(mask.height) / Double(frame.height) - 0.5
        interpolate(LinearTap(position: position, samples: mask.height), mask)
        findRuns(maskWidth: mask.width)
    }

    /// The current row's bytes in order, divided by what the mask says about them.
    package var runs: UnsafeBufferPointer<MaskRun> {
        UnsafeBufferPointer(start: runBuffer.base, count: runCount)
    }

    /// The current row's alpha, indexed by byte; only `bytes` are filled in.
    package func alpha(_ bytes: Range<Int>) -> UnsafePointer<UInt8> {
        let (alpha, taps, row) = (alphaBuffer.base, columns[plane].taps, row.base)
        for byte in bytes {
            let tap = taps[byte]
            let left = row[Int(tap.index)]
            alpha[byte] = roundedByte(left + (row[Int(tap.index) &+ 1] - left) * tap.fraction)
        }
        return UnsafePointer(alpha)
    }

    /// The current row's alpha, all bytes.
    package func alphaRow() -> UnsafePointer<UInt8> {
        for run in runs {
            switch run.kind {
            case .soft: _ = alpha(run.bytes)
            case .background, .subject:
                (alphaBuffer.base + run.bytes.lowerBound).update(
                    repeating: run.kind == .subject ? 255 : 0, count: run.bytes.count)
            }
        }
        return UnsafePointer(alphaBuffer.base)
    }

    private func interpolate(_ tap: LinearTap, _ mask: MaskView) {
        let upper = decodedRow(Int(tap.index), mask)
        let lower = decodedRow(tap.last, mask)
        let (row, rounded, fraction) = (row.base, rounded.base, tap.fraction)
        for i in 0..<mask.width {
            let value = upper[i] + (lower[i] - upper[i]) * fraction
            row[i] = value
            rounded[i] = roundedByte(value)
        }
        row[mask.width] = row[mask.width - 1]
    }

    /// Neighbouring rows differ in parity, so that two buffers hold the two rows in use.
    private func decodedRow(_ y: Int, _ mask: MaskView) -> UnsafePointer<Float> {
        let isOdd = y & 1 == 1
        let buffer = isOdd ? decoded.1.base : decoded.0.base
        if (isOdd ? decodedRows.1 : decodedRows.0) != y {
            mask.readRow(y, scale: Self.opaque, into: buffer)
            if isOdd { decodedRows.1 = y } else { decodedRows.0 = y }
        }
        return UnsafePointer(buffer)
    }

    private func findRuns(maskWidth: Int) {
        runCount = 0
        var (column, done) = (0, 0)
        while column < maskWidth {
            let value = rounded.base[column]
            guard value == 0 || value == 255 else {
                column &+= 1
                continue
            }
            let end = endOfRun(from: column, maskWidth: maskWidth)
            let bytes = columns[plane].bytes(within: column..<end)
            let start = max(done, bytes.lowerBound)
            if start < bytes.upperBound {
                append(.soft, done..<start)
                append(value == 0 ? .background : .subject, start..<bytes.upperBound)
                done = bytes.upperBound
            }
            column = end
        }
        append(.soft, done..<max(done, columns[plane].byteCount))
    }

    private func append(_ kind: MaskRun.Kind, _ bytes: Range<Int>) {
        guard !bytes.isEmpty else { return }
        runBuffer.base[runCount] = MaskRun(kind: kind, bytes: bytes)
        runCount &+= 1
    }

    /// One past the last mask column that equals column `start`; eight at a time.
    private func endOfRun(from start: Int, maskWidth: Int) -> Int {
        let values = rounded.base
        let value = values[start]
        let eight = UInt64(value) &* 0x0101_0101_0101_0101
        var column = start &+ 1
        while column &+ 8 <= maskWidth,
            UnsafeRawPointer(values + column).loadUnaligned(as: UInt64.self) == eight
        {
            column &+= 8
        }
        while column < maskWidth, values[column] == value { column &+= 1 }
        return column
    }
}
