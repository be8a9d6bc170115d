extension GStreamer.Pipeline {
    /// Whether a demuxer has given up without a message.
    ///
    /// decodebin and parsebin drop the errors of an element that fails while they are still putting it in, and wait for its
    /// streams for ever. Such an element has stopped reading and has no streams. Seen in GStreamer 1.22;
    /// `FaultTests.filmsThatAreNoFilms` and `FaultTests.filmsWithoutTheirIndex` tell when it can go.
    package var hasSilentDemuxer: Bool { element.descendants.contains(where: \.hasStoppedReading) }
}

extension GStreamer.Element {
    /// Whether an element without streams reads no more.
    fileprivate var hasStoppedReading: Bool { sourcePadCount == 0 && pad("sink")?.hasPausedTask ?? false }
}
