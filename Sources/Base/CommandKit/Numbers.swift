import CGStreamer

extension Double {
    /// Returns the number with so many decimals.
    public func text(decimals: Int) -> String {
        text(format: "%.\(max(0, min(17, decimals)))f")
    }

    /// The number with at most six digits and no zeros at the end.
    public var shortText: String { text(format: "%g") }

    /// Returns the number rounded to so many significant digits.
    public func rounded(digits: Int) -> Double {
        Double(text(format: "%.\(max(1, min(17, digits)))g")) ?? self
    }

    /// The number of seconds as `h:mm:ss`.
    public var clockTime: String {
        // Longer than any work, and short enough to be a whole number.
        let longest = 1e9
        let seconds = Int((isNaN ? 0 : Swift.max(0, Swift.min(longest, self))).rounded())
        let pair = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 3600):\(pair(seconds / 60 % 60)):\(pair(seconds % 60))"
    }

    private func text(format: String) -> String {
        // The longest number has 309 digits before the point.
        var buffer = [CChar](repeating: 0, count: 400)
        guard let text = g_ascii_formatd(&buffer, gint(buffer.count), format, self) else { return "" }
        return String(cString: text)
    }
}

extension Duration {
    /// The duration as a number of seconds.
    public var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
