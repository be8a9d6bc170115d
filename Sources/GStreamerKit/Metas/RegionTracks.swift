/// What the things that an element follows are called in GStreamer's analytics metadata, where those of all elements meet.
///
/// Each stream of each element has a number of its own in the process, so that their ids cannot collide.
public final class RegionTracks {
    /// How long a thing may be out of sight before it is forgotten, in nanoseconds; elements forget it earlier.
    private static let memory: UInt64 = 60_000_000_000
    /// So many things are kept without a look at which of them are long gone.
    private static let usualCount = 64

    private static let streams = Guarded<UInt32>(0)

    /// When a thing was seen, in nanoseconds of running time.
    private struct Sighting {
        let first: UInt64
        let last: UInt64
    }

    private let stream: UInt32
    private var sightings: [Int: Sighting] = [:]
    private var time: UInt64?

    /// Begins a stream.
    package init() {
        stream = Self.streams.update {
            $0 &+= 1
            return $0
        }
    }

    /// A frame of this running time comes, in nanoseconds; nil when unknown.
    package func begin(at time: UInt64?) {
        self.time = time
        guard let time, sightings.count > Self.usualCount else { return }
        sightings = sightings.filter { $1.last <= time && time - $1.last <= Self.memory }
    }

    /// The id of a track: the element's stream in the upper 32 bits, its own `id` in the lower.
    public func track(of id: Int) -> UInt64 { UInt64(stream) << 32 | UInt64(UInt32(clamping: id)) }

    /// Takes note that the frame shows a thing.
    ///
    /// - Returns: the running times when it was seen first and last, in nanoseconds; nil when unknown.
    package func see(_ id: Int) -> (first: UInt64, last: UInt64)? {
        guard let time else { return nil }
        // A flush restarts running time.
        let first = sightings[id].map { min($0.first, time) } ?? time
        sightings[id] = Sighting(first: first, last: time)
        return (first, time)
    }
}

extension VideoElement {
    /// The element's tracks, for what it attaches to `frame`.
    public func tracks(in frame: borrowing VideoFrame) -> RegionTracks {
        tracks.begin(at: runningTime(of: frame))
        return tracks
    }
}
