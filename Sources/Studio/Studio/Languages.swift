/// The languages of the page.
///
/// Each has a table of translations by English texts: `page` has those of the page itself, `program` those of what the
/// program says, in which `{name}` stands for a value. Texts without a translation stay English.
enum Languages {
    private static let tables = [
        "de": PackageResources.de_json, "fr": PackageResources.fr_json, "es": PackageResources.es_json,
        "ja": PackageResources.ja_json,
    ]

    private static let english = "en"
    private static let untranslated = Array(#"{"page": {}, "program": {}}"#.utf8)

    /// Returns a script that defines `language`, and its table as `words`.
    ///
    /// - Parameter accepted: the languages that a browser prefers, as `Accept-Language` lists them.
    static func script(for accepted: String) -> [UInt8] {
        let language = preferred(accepted)
        let head = "const language = \"\(language)\", words = "
        return Array(head.utf8) + (tables[language] ?? untranslated) + Array(";\n".utf8)
    }

    /// Returns the known language of the greatest weight, the first of several (RFC 9110, 12.5.4).
    static func preferred(_ accepted: String) -> String {
        let known = accepted.lowercased().split(separator: ",").compactMap { range -> (String, Double)? in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
            let name = parts.first?.split(separator: "-").first.map { String($0) } ?? ""
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return name == english || tables[name] != nil ? (name, weight ?? 1) : nil
        }
        let greatest = known.map(\.1).max() ?? 0
        return greatest > 0 ? known.first { $0.1 == greatest }?.0 ?? english : english
    }
}
