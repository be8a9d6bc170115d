import Imaging
import Properties

/// A preset of the studio as a text: lines `property=value` below the name of an element in brackets.
///
/// It is a key file of GLib, without its languages.
package enum PresetText {
    /// The value of a property.
    package struct Entry: Sendable, Equatable {
        package let element: String
        package let property: String
        package let text: String

        package init(element: String, property: String, text: String) {
            (self.element, self.property, self.text) = (element, property, text)
        }
    }

    /// The largest preset in bytes.
    package static let maximumBytes = 64 << 10

    /// Returns the values, of which the last counts if a property has several; nil for a malformed text.
    package static func entries(of text: String) -> [Entry]? {
        var (entries, element) = ([Entry](), nil as String?)
        for line in text.split(whereSeparator: \.isNewline).map(trimmed)
        where !line.isEmpty && line.first != "#" {
            if line.first == "[" {
                guard line.last == "]", line.count > 2 else { return nil }
                element = String(line.dropFirst().dropLast())
                continue
            }
            guard let element, let equals = line.firstIndex(of: "="),
                let value = unescaped(trimmed(line[line.index(after: equals)...]))
            else { return nil }
            let property = String(trimmed(line[..<equals]))
            entries.removeAll { $0.element == element && $0.property == property }
            entries.append(Entry(element: element, property: property, text: value))
        }
        return entries
    }

    /// The settings of the camera itself, which belong to no element: its mirror, and whether the picture follows people.
    private static let camera = ["mirror", "follow"]

    /// Whether presets may set a property: one of the table, or of the camera.
    package static func allows(_ element: String, _ property: String) -> Bool {
        element == "camera" && camera.contains(property)
            || PropertyTable.row(element, property)?.facts.isOffered(by: .preset) ?? false
    }

    private static func trimmed(_ text: Substring) -> Substring {
        PropertyText.trimmed(text, of: [" ", "\t"])
    }

    /// Returns a value without its escapes; nil for an unknown one.
    private static func unescaped(_ text: Substring) -> String? {
        var (result, isEscaped) = ("", false)
        for character in text {
            switch (isEscaped, character) {
            case (false, "\\"): isEscaped = true
            case (false, _): result.append(character)
            case (true, let escaped):
                guard let plain = escapes[escaped] else { return nil }
                result.append(plain)
                isEscaped = false
            }
        }
        return isEscaped ? nil : result
    }

    private static let escapes: [Character: Character] = [
        "s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\",
    ]
}

/// The settings with which the room behind the people stays hidden.
package enum HiddenRoom {
    /// Returns the setting that shows the room, and its effect, as a phrase; nil while the room is hidden.
    ///
    /// - Parameter text: a property's text, as GStreamer writes it; nil for one that is not set.
    package static func fault(_ text: (_ element: String, _ property: String) -> String?) -> String? {
        let backdrop = Backdrop { text("blendmask", $0) }
        guard backdrop.room != .sharp else {
            return backdrop.inverts || backdrop.resolved != .original
                ? "the room is kept"
                : "a blur of less than \(Int(Backdrop.minimumBlur)) does not hide the room"
        }
        for row in PropertyTable.rows {
            guard let rule = row.facts.roomRule, let value = text(row.element, row.property),
                !rule.allows(value)
            else { continue }
            return rule.fault(of: "\(row.property)=\(value)")
        }
        return nil
    }
}

extension RoomRule {
    /// The phrase for a setting that breaks the rule.
    fileprivate func fault(of setting: String) -> String {
        switch self {
        case .range: "\(setting) shows some of the room"
        case .texts: "\(setting) shows the room in frames without a mask"
        case .unset: "a model of your own may show the room"
        }
    }
}
