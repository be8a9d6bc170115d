/// A file or address that ffmpeg reads.
package struct MediaInput: Sendable {
    /// Path or address, for messages.
    package let name: String
    private let options: [String]
    private let url: String

    /// A file of this machine, which never leads to the network.
    package init(path: String) {
        (name, url) = (path, "file:\(path)")
        options = ["-protocol_whitelist", "file,crypto,data"]
    }

    /// Arguments of `ffmpeg` and `ffprobe` that open it.
    package var arguments: [String] { options + ["-i", url] }
}
