/// When the pictures of a stream come, and how often they are searched.
struct StreamTiming {
    /// Seconds since the last picture.
    let seconds: Double
    /// Seconds from one search to the next; nil for no search.
    let searchInterval: Double?
    /// Whether the first picture, too, is searched within the limits of the others.
    let spreadsFirstSearch: Bool

    /// Whether the first picture is searched as a single one is; without later searches, it has to be.
    var searchesFirstPictureFully: Bool { !spreadsFirstSearch || searchInterval == nil }
}
