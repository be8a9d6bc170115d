package import Imaging
import Properties

/// Ids of people in the text of a property, such as `1,3`.
package enum PeopleIDs {
    /// Returns the ids in a text; empty for none.
    ///
    /// - Throws: when the text is malformed.
    package static func read(_ text: String?, of property: String) throws(MalformedProperty) -> [Int] {
        guard let text, !text.isEmpty else { return [] }
        guard let ids = PropertyText.ids(text) else {
            throw malformed(property, text, wanted: "ids of people, such as 1,3")
        }
        return ids
    }

    /// Returns the point in a text such as `0.4,0.5`; nil for none.
    ///
    /// - Throws: when the text is malformed.
    package static func point(_ text: String?, of property: String) throws(MalformedProperty) -> Point? {
        guard let text, !text.isEmpty else { return nil }
        guard let point = PropertyText.point(text) else {
            throw malformed(property, text, wanted: "a point as fractions of the frame, such as 0.4,0.5")
        }
        return Point(x: point.x, y: point.y)
    }

    /// Returns the error for a malformed property.
    package static func malformed(_ property: String, _ text: String, wanted: String) -> MalformedProperty {
        MalformedProperty(description: "\(property) is \"\(text)\"; it must be \(wanted).")
    }
}

/// The error of a text that its property cannot be set to.
package struct MalformedProperty: Error, CustomStringConvertible {
    /// A sentence that names the property, the text, and the form that it must have.
    package let description: String
}
