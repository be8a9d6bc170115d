/// The name of a colour profile (ICC.1).
enum ColorProfileName {
    /// Returns the name of a profile: the text of its tag `desc`; nil if it cannot be read.
    static func name(of profile: [UInt8]) -> String? {
        func number(_ place: Int, _ count: Int = 4) -> Int {
            guard place >= 0, place + count <= profile.count else { return 0 }
            return profile[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
        }
        func text(_ place: Int) -> String {
            guard place >= 0, place + 4 <= profile.count else { return "" }
            return String(decoding: profile[place..<place + 4], as: UTF8.self)
        }
        // The table of tags follows the header; each entry has a name, an offset and a size.
        let (table, entry) = (132, 12)
        guard
            let tag = (0..<min(number(128), 100)).map({ table + $0 * entry }).first(where: {
                text($0) == "desc"
            })
        else { return nil }
        let place = number(tag + 4)
        switch text(place) {
        // Version 2: a text in ASCII.
        case "desc":
            let length = number(place + 8)
            guard length > 0, place + 12 + length <= profile.count else { return nil }
            return clean(String(decoding: profile[place + 12..<place + 12 + length], as: UTF8.self))
        // Version 4: texts in several languages, in UTF-16; the first one is taken.
        case "mluc":
            let (length, start) = (number(place + 20), place + number(place + 24))
            guard length > 0, start + length <= profile.count else { return nil }
            let units = stride(from: start, to: start + (length & ~1), by: 2).map { UInt16(number($0, 2)) }
            return clean(String(decoding: units, as: UTF16.self))
        default: return nil
        }
    }

    private static func clean(_ text: String) -> String? {
        let shown = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let name = String(String.UnicodeScalarView(shown))
        return name.isEmpty ? nil : name
    }
}
