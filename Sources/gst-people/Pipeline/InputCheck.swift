import CGStreamer
import CommandKit
import Glibc

/// Throws when a file cannot be read.
func checkInput(_ path: String) throws(ToolError) {
    guard access(path, R_OK) != 0 else { return }
    let reason = String(cString: strerror(errno))
    let isURI = gst_uri_is_valid(path) != 0
    throw ToolError(.input, "\(path) cannot be read: \(isURI ? "give a path, not a URI" : reason).")
}
