import COBS
import Imaging

/// Frames of the filter's own, for formats that a source's frames do not have.
///
/// OBS counts the users of a frame: one is this object, others are filters that hold a frame back. The source
/// points to its current frame without being counted, so that the frame used longest ago comes first again.
final class OutputFrames {
    /// Number of frames in turn: the current one, the one before, and the next.
    private static let usualCount = 3

    /// The frames; the one used longest ago comes first.
    private var frames: [SourceFrame] = []

    deinit { clear() }

    /// Releases the frames, once the source does not point to them any more.
    func clear() {
        for frame in frames { RetiredFrames.shared.add(frame) }
        frames = []
    }

    /// Returns a frame of a format with the size, time and colours of another, whose pixels are undefined.
    func next(_ format: video_format, like other: SourceFrame) -> SourceFrame? {
        let (width, height) = (other.pointee.width, other.pointee.height)
        if let first = frames.first?.pointee,
            (first.format, first.width, first.height) != (format, width, height)
        {
            clear()
        }
        guard let frame = reuse() ?? make(format, width, height) else { return nil }
        frame.describe(as: other)
        return frame
    }

    /// Counts the user to whom a frame is given.
    func give(_ frame: SourceFrame) -> SourceFrame {
        os_atomic_inc_long(&frame.pointee.refs)
        return frame
    }

    private func reuse() -> SourceFrame? {
        guard frames.count >= Self.usualCount, let oldest = frames.first, oldest.pointee.refs == 1 else {
            return nil
        }
        frames.removeFirst()
        frames.append(oldest)
        return oldest
    }

    private func make(_ format: video_format, _ width: UInt32, _ height: UInt32) -> SourceFrame? {
        let sides = 1...UInt32(ImageView.maximumSide)
        guard sides.contains(width), sides.contains(height),
            let frame = obs_source_frame_create(format, width, height)
        else { return nil }
        frame.pointee.refs = 1
        frames.append(frame)
        return frame
    }
}

extension SourceFrame {
    /// Copies what another frame tells about itself, apart from its format and size.
    fileprivate func describe(as other: SourceFrame) {
        pointee.timestamp = other.pointee.timestamp
        pointee.color_matrix = other.pointee.color_matrix
        pointee.full_range = other.pointee.full_range
        pointee.max_luminance = other.pointee.max_luminance
        pointee.color_range_min = other.pointee.color_range_min
        pointee.color_range_max = other.pointee.color_range_max
        pointee.flip = other.pointee.flip
        pointee.flags = other.pointee.flags
        pointee.trc = other.pointee.trc
    }
}
