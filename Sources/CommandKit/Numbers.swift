import CGStreamer

extension Double {
    /// With that many decimals.
    public func text(decimals: Int) -> String {
        // The longest number has 309 digits before the point.
        var buffer = [CChar](repeating: 0, count: 400)
        let format = "%.\(max(0, min(17, decimals)))f"
        guard let text = g_ascii_formatd(&buffer, gint(buffer.count), format, self) else { return "" }
        return String(cString: text)
    }
}
