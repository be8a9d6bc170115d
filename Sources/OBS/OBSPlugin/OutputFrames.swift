import COBS
import Imaging
import Synchronization

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

/// Frames of filters that are gone, which the source may still be about to show.
///
/// A source points to its current frame from one tick of OBS to the next, and to the one before while it is
/// deinterlaced. No function tells when it is done with a frame that is not its own.
final class RetiredFrames: Sendable {
    static let shared = RetiredFrames()

    /// Ticks after which no source points to a frame any more: one that is under way, and two whole ones.
    private static let patience = 3

    // OBS finds a callback to remove by its address.
    private static let onTick: @convention(c) (UnsafeMutableRawPointer?, Float) -> Void = { _, _ in
        RetiredFrames.shared.tick()
    }

    private struct Entry: @unchecked Sendable {
        // Unchecked: nobody else has the frame.
        let frame: UnsafeMutablePointer<obs_source_frame>
        var ticks: Int
    }
    private let entries = Mutex<[Entry]>([])

    /// Begins to count ticks.
    func begin() { obs_add_tick_callback(Self.onTick, nil) }

    /// Ends counting, and releases all frames.
    func end() {
        obs_remove_tick_callback(Self.onTick, nil)
        let rest = entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
        for entry in rest { obs_source_frame_destroy(entry.frame) }
    }

    /// Takes over a frame that no filter uses any more.
    func add(_ frame: UnsafeMutablePointer<obs_source_frame>) {
        let entry = Entry(frame: frame, ticks: Self.patience)
        entries.withLock { $0.append(entry) }
    }

    private func tick() {
        let done = entries.withLock { entries in
            guard !entries.isEmpty else { return [Entry]() }
            for index in entries.indices { entries[index].ticks -= 1 }
            defer { entries.removeAll { $0.ticks <= 0 } }
            return entries.filter { $0.ticks <= 0 }
        }
        for entry in done { obs_source_frame_destroy(entry.frame) }
    }
}
