/// The forms of texts, each with its only parser.
public enum TextForm: Sendable {
    /// Ids of people, such as `1,3`.
    case ids
    /// A point as fractions of the frame's width and height, such as `0.4,0.5`.
    case point
    /// A width and a height, such as `9:16` or `9/16`.
    case ratio
    /// The name of a file.
    case file
    /// Any text.
    case free

    /// Whether a text has the form.
    public func accepts(_ text: String) -> Bool {
        switch self {
        case .ids: PropertyText.ids(text) != nil
        case .point: PropertyText.point(text) != nil
        case .ratio: PropertyText.ratio(text) != nil
        case .file: !text.isEmpty
        case .free: true
        }
    }
}

/// Values that are written as texts in properties, options and presets.
public enum PropertyText {
    /// Returns ids of people, which count from 1; nil for a malformed text, and for one without ids.
    public static func ids(_ text: String) -> [Int]? {
        var ids: [Int] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let id = Int(trimmed(word)), id > 0 else { return nil }
            ids.append(id)
        }
        return ids
    }

    /// Returns a point in fractions from 0 to 1; nil for a malformed text.
    public static func point(_ text: String) -> (x: Double, y: Double)? {
        let shares = text.split(separator: ",", omittingEmptySubsequences: false).map { word in
            Double(trimmed(word)).flatMap { (0...1).contains($0) ? $0 : nil }
        }
        guard shares.count == 2, let x = shares[0], let y = shares[1] else { return nil }
        return (x, y)
    }

    /// Returns width over height, from 0 (a width of 0) to 100; nil for a malformed text.
    public static func ratio(_ text: String) -> Double? {
        let sides = text.split(
            separator: text.contains("/") ? "/" : ":", omittingEmptySubsequences: false
        ).map { Double(trimmed($0)) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width >= 0, height > 0 else {
            return nil
        }
        let ratio = width / height
        return ratio == 0 || (0.01...100).contains(ratio) ? ratio : nil
    }

    /// Returns an opaque colour as 0xFFRRGGBB; nil for a malformed text.
    ///
    /// - Parameter text: RRGGBB with or without `#` or `0x`; eight digits are AARRGGBB, whose alpha is ignored.
    public static func color(_ text: String) -> UInt32? {
        let digits = text.hasPrefix("#") ? text.dropFirst(1) : text.dropFirst(text.hasPrefix("0x") ? 2 : 0)
        guard [6, 8].contains(digits.count), digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: 16)
        else { return nil }
        return number | 0xff00_0000
    }

    /// Returns the six digits RRGGBB of a colour.
    public static func digits(of color: UInt32) -> String {
        let digits = String(color & 0xff_ffff, radix: 16)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Returns a word without spaces around it.
    ///
    /// - Parameter spaces: the characters that count as spaces.
    public static func trimmed(_ text: Substring, of spaces: Set<Character> = [" "]) -> Substring {
        let start = text.drop { spaces.contains($0) }
        return start.lastIndex { !spaces.contains($0) }.map { start[...$0] } ?? ""
    }
}
