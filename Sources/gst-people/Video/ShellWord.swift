import CGStreamer

/// A word for a shell.
func quoted(_ text: String) -> String {
    guard let quoted = g_shell_quote(text) else { return text }
    defer { g_free(quoted) }
    return String(cString: quoted)
}
