import Synchronization

/// Ends a demuxer that asks for the same bytes without end.
///
/// Demuxers of FFmpeg read no bytes where a file ends, which FFmpeg 5 does not take for the end: GIFs never end. An error makes
/// them end the stream, or report that nothing was found. Seen in GStreamer 1.22; `FaultTests.refusesAnimations` tells when it can go.
package enum EndlessReading {
    /// Reads in a row; other demuxers look at the same place a few times.
    private static let maximumReads = 1000

    private struct State {
        var offset: UInt64 = .max
        var count = 0
    }

    /// - Parameter source: what reads the file.
    package static func stop(at source: GStreamer.Element) {
        let state = Mutex(State())
        source.pad("src")?.addProbe(.read) { info in
            let offset = info.offset
            let count = state.withLock { state in
                state.count = offset == state.offset ? state.count + 1 : 0
                state.offset = offset
                return state.count
            }
            return count > maximumReads ? info.finish(.error) : .pass
        }
    }
}

extension GStreamer.Pipeline {
    /// Whether a demuxer has given up without a message.
    ///
    /// decodebin and parsebin drop the errors of an element that fails while they are still putting it in, and wait for its
    /// streams for ever. Such an element has stopped reading and has no streams. Seen in GStreamer 1.22;
    /// `FaultTests.filesThatAreNoVideos` and `FaultTests.videosWithoutTheirIndex` tell when it can go.
    package var hasSilentDemuxer: Bool { element.descendants.contains(where: \.hasStoppedReading) }
}

extension GStreamer.Element {
    /// Whether an element without streams reads no more.
    fileprivate var hasStoppedReading: Bool { sourcePadCount == 0 && pad("sink")?.hasPausedTask ?? false }
}
