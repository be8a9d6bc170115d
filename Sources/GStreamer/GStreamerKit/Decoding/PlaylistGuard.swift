/// Prevents a local file from opening others: demuxers of playlists would open the files and servers that
/// these name.
package final class PlaylistGuard: Sendable {
    private let found = Guarded<String?>(nil)

    package init() {}

    /// The kind of file, as a phrase, if it names other files, which are not opened.
    package var reference: String? { found.snapshot() }

    /// Drops the file's bytes before an element that would open other files.
    package func watch(_ element: GStreamer.Element) {
        guard let kind = Self.kind(of: element) else { return }
        found.update { $0 = kind }
        // The element opens nothing before it has read something. Events pass: GStreamer warns of data that
        // come without them.
        element.pad("sink")?.addProbe(.buffer) { _ in .drop }
    }

    /// Returns the kind of file that an element reads, if that kind names other files.
    private static func kind(of element: GStreamer.Element) -> String? {
        let classification = element.classification ?? ""
        guard classification.contains("Demuxer"),
            ["Adaptive", "Network", "Editing"].contains(where: classification.contains)
        else { return nil }
        let name = element.factoryName ?? ""
        return names.first { name.hasPrefix($0.factory) }?.kind ?? "a playlist"
    }

    private static let names = [
        (factory: "hls", kind: "an HLS playlist"), (factory: "dash", kind: "a DASH playlist"),
        (factory: "mss", kind: "a Smooth Streaming playlist"),
        (factory: "sdp", kind: "a session description (SDP)"), (factory: "ges", kind: "an editing project"),
    ]
}
