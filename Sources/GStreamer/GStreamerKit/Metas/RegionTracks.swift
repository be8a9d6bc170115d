/// The ids of an element's tracked things in GStreamer's analytics metadata, which all elements share.
///
/// Each stream of each element has its own number in the process, so that ids cannot collide.
public final class RegionTracks {
    /// Time after which an unseen thing is forgotten, in nanoseconds; elements forget it earlier.
    private static let memory: UInt64 = 60_000_000_000
    /// Number of things up to which no old ones are searched for.
    private static let usualCount = 64

    private static let streams = Guarded<UInt32>(0)

    /// The times of a thing's first and last sighting, in nanoseconds of running time.
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

    /// Begins a frame of this running time, in nanoseconds; nil when unknown.
    package func begin(at time: UInt64?) {
        self.time = time
        guard let time, sightings.count > Self.usualCount else { return }
        sightings = sightings.filter { $1.last <= time && time - $1.last <= Self.memory }
    }

    /// Returns the id of a track: the element's stream in the upper 32 bits, its own `id` in the lower.
    public func track(of id: Int) -> UInt64 { UInt64(stream) << 32 | UInt64(UInt32(clamping: id)) }

    /// Records that the frame shows a thing.
    ///
    /// - Returns: the running times of the first and the last sighting, in nanoseconds; nil when unknown.
    package func see(_ id: Int) -> (first: UInt64, last: UInt64)? {
        guard let time else { return nil }
        // Running time restarts after a flush.
        let first = sightings[id].map { min($0.first, time) } ?? time
        sightings[id] = Sighting(first: first, last: time)
        return (first, time)
    }
}

extension VideoElement {
    /// Returns the element's tracks, ready for objects of `frame`.
    public func tracks(in frame: borrowing VideoFrame) -> RegionTracks {
        tracks.begin(at: runningTime(of: frame))
        return tracks
    }
}
