import CommandKit
import FileNames
import GStreamerKit
import Glibc

/// Kind of a file, by its first bytes.
struct MediaType {
    /// The media type as in caps: `video/quicktime`.
    let name: String
    /// Whether it is a PNG with several frames.
    let isAnimatedPNG: Bool

    /// - Returns: nil for a file that cannot be read or has no known kind.
    init?(ofFile path: String) {
        let start = FileSystem.start(of: path, count: 4096)
        guard let caps = GStreamer.Caps(typeOf: start) else { return nil }
        name = caps.mediaType
        isAnimatedPNG = name == "image/png" && start.withUnsafeBytes { PNGHeader($0).isAnimated }
    }

    var isImage: Bool { name.hasPrefix("image/") }

    /// Whether it may hold a video; of most containers this is unknown before they are read.
    var isVideo: Bool {
        name.hasPrefix("video/") || Self.otherVideos.contains(name)
    }

    /// Containers of videos whose types do not begin so.
    private static let otherVideos = [
        "application/mxf", "application/x-3gp", "application/x-yuv4mpeg", "application/vnd.rn-realmedia",
    ]
}

/// Files that name the files or servers of a video.
enum Playlist {
    /// The kind of a file, as a phrase; nil for another file.
    static func kind(ofFile path: String) -> String? {
        let text = String(decoding: FileSystem.start(of: path, count: 4096), as: UTF8.self)
        return kinds.first { text.contains($0.mark) }?.kind
    }

    private static let kinds = [
        (mark: "#EXTM3U", kind: "an HLS playlist"), (mark: "<MPD", kind: "a DASH playlist"),
        (mark: "<SmoothStreamingMedia", kind: "a Smooth Streaming playlist"),
        (mark: "IN IP4", kind: "a session description (SDP)"),
    ]
}

/// Throws when a file cannot be read.
func checkInput(_ path: String) throws(ToolError) {
    var status = stat()
    if stat(path.fileName, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
        // Opening a pipe waits for its writer, and its first bytes can be read only once.
        throw ToolError(.input, "\(path) cannot be read: it is no file, but a pipe or a device.")
    }
    guard access(path.fileName, R_OK) != 0 else { return }
    let reason = String(cString: strerror(errno))
    let advice = GStreamer.isURI(path) ? "give a path, not a URI" : reason
    throw ToolError(.input, "\(path) cannot be read: \(advice).")
}
