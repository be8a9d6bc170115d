/// A file that ffmpeg reads.
package struct MediaInput: Sendable {
    /// The user's name for it, for messages.
    package let name: String
    package let path: String

    /// A file of this machine, which never leads to the network.
    package init(path: String, named name: String? = nil) { (self.path, self.name) = (path, name ?? path) }

    /// Arguments of `ffmpeg` and `ffprobe` that open it.
    package var arguments: [String] {
        ["-protocol_whitelist", "file,crypto,data", "-i", "file:\(path)"]
    }
}
