import COBS
import Imaging

/// A frame of an asynchronous video source.
typealias SourceFrame = UnsafeMutablePointer<obs_source_frame>

/// The format, size and colours of frames.
struct FrameKind: Equatable {
    /// OBS's name of the format.
    var stored: video_format
    var format: PixelFormat
    var width: Int
    var height: Int
    var colorimetry: Colorimetry
}

/// Borrowed pixels of a frame, in one of the library's formats.
struct SourceImage {
    let view: MutableImageView
    let kind: FrameKind
    /// Rotation and mirroring that make the stored frame upright.
    let orientation: ImageOrientation

    /// Returns nil for a format that the library does not have.
    init?(_ frame: SourceFrame) {
        guard let format = PixelFormat(frame.pointee.format) else { return nil }
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        let (data, sizes, layout) = (frame.pointee.data, frame.pointee.linesize, format.layout)
        func plane(
            _ index: Int, _ base: UnsafeMutablePointer<UInt8>?, _ stride: UInt32
        ) -> (plane: MutablePlane, bytes: Int)? {
            guard index < layout.planeCount else {
                return data.0.map { (MutablePlane(base: $0, stride: 0), 0) }
            }
            let bytes = Int(stride) &* layout.rows(plane: index, height: max(0, height))
            return base.map { (MutablePlane(base: $0, stride: Int(stride)), bytes) }
        }
        guard let first = plane(0, data.0, sizes.0), let second = plane(1, data.1, sizes.1),
            let third = plane(2, data.2, sizes.2), let fourth = plane(3, data.3, sizes.3),
            let view = MutableImageView(
                format: format, width: width, height: height, colorimetry: Colorimetry(frame, layout.model),
                planes: (first.plane, second.plane, third.plane, fourth.plane),
                byteCounts: (first.bytes, second.bytes, third.bytes, fourth.bytes))
        else { return nil }
        self.view = view
        kind = FrameKind(
            stored: frame.pointee.format, format: format, width: width, height: height,
            colorimetry: view.colorimetry)
        orientation = frame.pointee.flip ? .downMirrored : .up
    }
}

extension PixelFormat {
    /// Returns nil for a format that the library does not have.
    fileprivate init?(_ format: video_format) {
        switch format {
        case VIDEO_FORMAT_I420: self = .i420
        case VIDEO_FORMAT_NV12: self = .nv12
        case VIDEO_FORMAT_YVYU: self = .yvyu
        case VIDEO_FORMAT_YUY2: self = .yuy2
        case VIDEO_FORMAT_UYVY: self = .uyvy
        case VIDEO_FORMAT_RGBA: self = .rgba
        case VIDEO_FORMAT_BGRA: self = .bgra
        case VIDEO_FORMAT_BGRX: self = .bgrx
        case VIDEO_FORMAT_Y800: self = .gray8
        case VIDEO_FORMAT_I444: self = .y444
        case VIDEO_FORMAT_BGR3: self = .bgr
        case VIDEO_FORMAT_I422: self = .y42b
        case VIDEO_FORMAT_I40A: self = .a420
        case VIDEO_FORMAT_I010: self = .i420Deep
        case VIDEO_FORMAT_P010: self = .p010
        case VIDEO_FORMAT_I210: self = .i422Deep
        case VIDEO_FORMAT_I412: self = .y444Twelve
        default: return nil
        }
    }

    /// OBS's format with alpha for frames of this one.
    var withAlpha: video_format { layout.model == .rgb ? VIDEO_FORMAT_BGRA : VIDEO_FORMAT_I40A }
}

extension Colorimetry {
    /// Reads what a frame tells about its colours.
    ///
    /// OBS leaves the matrix of R'G'B' undefined; brightness is then that of BT.601, as in the elements.
    fileprivate init(_ frame: SourceFrame, _ model: ColorModel) {
        let (matrix, isFull) = (frame.pointee.color_matrix, frame.pointee.full_range)
        // The matrix makes R'G'B' of Y'CbCr. Cr in R' is 2 (1 - Kr) of Y', apart from their ranges.
        let swings: Float = isFull ? 1 : 224 / 219
        let share = matrix.0 > 0 ? matrix.2 / matrix.0 * swings : 0
        let known: [(Colorimetry.Matrix, Float)] = [(.bt601, 1.402), (.bt709, 1.5748), (.bt2020, 1.4746)]
        let nearest = known.min { abs($0.1 - share) < abs($1.1 - share) }
        let transfer: Transfer =
            switch UInt32(frame.pointee.trc) {
            case VIDEO_TRC_PQ.rawValue: .pq
            case VIDEO_TRC_HLG.rawValue: .hlg
            default: .sdr
            }
        let isRGB = model == .rgb
        self.init(
            matrix: isRGB ? .bt601 : share > 0 ? nearest?.0 ?? .bt709 : .bt709,
            range: isFull ? .full : .limited, transfer: transfer)
    }
}
