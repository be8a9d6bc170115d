import CGStreamer
import Glibc

/// What kind of file something is, by its first bytes.
struct MediaType {
    /// As in caps: `video/quicktime`.
    let name: String

    /// - Returns: nil for what cannot be read or is of no known kind.
    init?(ofFile path: String) {
        let bytes = start(ofFile: path, count: 4096)
        guard let caps = gst_type_find_helper_for_data(nil, bytes, gsize(bytes.count), nil) else {
            return nil
        }
        defer { gst_caps_unref(caps) }
        name = mediaType(of: caps)
    }

    var isPicture: Bool { name.hasPrefix("image/") }

    /// Whether it may hold a video; most containers do not tell before they are read.
    var isVideo: Bool {
        name.hasPrefix("video/") || Self.otherVideos.contains(name)
    }

    /// Containers of videos whose types do not begin so.
    private static let otherVideos = [
        "application/mxf", "application/x-3gp", "application/x-yuv4mpeg", "application/vnd.rn-realmedia",
    ]
}

/// The first bytes of a file; fewer when it is shorter.
func start(ofFile path: String, count: Int) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let length = fread(&bytes, 1, count, file)
    return Array(bytes.prefix(length))
}
