/// An XMP packet: XML in UTF-8.
struct XMPPacket {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The packet without data about other pictures in the file, and without the orientation, which has been
    /// applied.
    var ofOneUprightPicture: [UInt8] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        var rest = text[...]
        for prefix in Self.secondPictures.compactMap({ Self.prefix(of: $0, in: text) }) {
            rest = Self.removing(prefix, from: rest)[...]
        }
        if let tiff = Self.prefix(of: "http://ns.adobe.com/tiff/1.0/", in: text) {
            rest = Self.removing(tiff + ":Orientation", from: rest)[...]
        }
        if let basic = Self.prefix(of: Self.basic, in: text) {
            rest = Self.removing(basic + ":Thumbnails", from: rest)[...]
        }
        return Array(rest.utf8)
    }

    /// Whether the packet is in UTF-8, which others are not searched for pictures.
    var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Whether the packet has thumbnails of the picture.
    var hasThumbnails: Bool {
        guard let text = String(validating: bytes, as: UTF8.self),
            let prefix = Self.prefix(of: Self.basic, in: text)
        else { return false }
        return text.contains("<\(prefix):Thumbnails")
    }

    /// The namespace of thumbnails (ISO 16684-1, 8.4).
    private static let basic = "http://ns.adobe.com/xap/1.0/"

    /// Namespaces of properties about gain maps, further pictures and clips, or about a part of the packet
    /// elsewhere.
    private static let secondPictures = [
        "http://ns.adobe.com/hdr-gain-map/1.0/", "http://ns.apple.com/HDRGainMap/1.0/",
        "http://ns.google.com/photos/1.0/container/", "http://ns.google.com/photos/1.0/camera/",
        "http://ns.google.com/photos/1.0/image/", "http://ns.google.com/photos/1.0/depthmap/",
        "http://ns.google.com/photos/1.0/audio/", "http://ns.google.com/photos/dd/1.0/device/",
        "http://ns.apple.com/depthData/1.0/", "http://ns.xiaomi.com/photos/1.0/camera/",
        "http://ns.adobe.com/xmp/note/",
    ]

    /// Returns the prefix of a namespace.
    private static func prefix(of namespace: String, in text: String) -> String? {
        for quote in ["\"", "'"] {
            guard let place = text.firstRange(of: "=\(quote)\(namespace)\(quote)") else { continue }
            let name = text[..<place.lowerBound].reversed().prefix { !$0.isWhitespace }.reversed()
            let words = String(name).split(separator: ":")
            if words.count == 2, words[0] == "xmlns" { return String(words[1]) }
        }
        return nil
    }

    /// Removes attributes and elements whose names begin with `name`; the declaration of the prefix stays.
    private static func removing(_ name: String, from text: Substring) -> String {
        let full = name.contains(":") ? name : name + ":"
        var (result, rest) = ("", text)
        while let place = rest.firstRange(of: full) {
            let before = rest[..<place.lowerBound]
            let end: Substring.Index?
            switch before.last {
            case "<": end = endOfElement(in: rest, from: place.lowerBound)
            case let space? where space.isWhitespace: end = endOfAttribute(in: rest, from: place.lowerBound)
            default: end = nil
            }
            if let end {
                result += before.last == "<" ? before.dropLast() : before
                rest = rest[end...]
            } else {
                result += rest[..<place.upperBound]
                rest = rest[place.upperBound...]
            }
        }
        return result + rest
    }

    private static func endOfAttribute(in text: Substring, from start: Substring.Index) -> Substring.Index? {
        let name = text[start...].prefix { $0 != "=" && !$0.isWhitespace && $0 != ">" }
        let value = text[name.endIndex...].drop { $0 == "=" || $0.isWhitespace }
        guard let quote = value.first, quote == "\"" || quote == "'",
            let end = value.dropFirst().firstIndex(of: quote)
        else { return nil }
        return text.index(after: end)
    }

    private static func endOfElement(in text: Substring, from start: Substring.Index) -> Substring.Index? {
        let name = text[start...].prefix { $0 != ">" && $0 != "/" && !$0.isWhitespace }
        guard let open = text[start...].firstIndex(of: ">") else { return nil }
        if text[..<open].last == "/" { return text.index(after: open) }
        return text[open...].firstRange(of: "</\(name)>")?.upperBound
    }
}
