/// Ids of people in the text of a property, such as `1,3`.
package enum PeopleIDs {
    /// Returns the ids in a text; empty for none.
    ///
    /// - Throws: when the text is malformed.
    package static func read(_ text: String?, of property: String) throws(MalformedProperty) -> [Int] {
        guard let text, !text.isEmpty else { return [] }
        var ids: [Int] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            // Ids of `bodypose` begin with 0.
            guard let id = Int(trimmed(word)), id >= 0 else {
                throw malformed(property, text, wanted: "ids of people, such as 1,3")
            }
            ids.append(id)
        }
        return ids
    }

    /// Returns a word without spaces around it.
    static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
    }

    /// Returns the error for a malformed property.
    static func malformed(_ property: String, _ text: String, wanted: String) -> MalformedProperty {
        MalformedProperty(description: "\(property) is \"\(text)\"; it must be \(wanted).")
    }
}

/// The error of a text that its property cannot be set to.
package struct MalformedProperty: Error, CustomStringConvertible {
    /// A sentence that names the property, the text, and the form that it must have.
    package let description: String
}
