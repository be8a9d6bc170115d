import GStreamerKit
import Imaging
package import JSON

/// A property that can be set from the page.
package struct SettingDescription: Sendable {
    package enum Kind: Sendable {
        case flag
        case number(ClosedRange<Double>, isWhole: Bool)
        case color
        /// One of several words, each with its meaning.
        case choice([(word: String, meaning: String)])
        /// A text that `check` accepts.
        case text(check: @Sendable (String) -> Bool)
    }

    package let key: SettingKey
    let kind: Kind
    /// The default as a text; empty for a text that is not set.
    package let defaultValue: String
    let summary: String
}

/// The names of a property and of its element.
package struct SettingKey: Hashable, Sendable, CustomStringConvertible {
    package let element: String
    package let property: String

    package init(_ element: String, _ property: String) {
        (self.element, self.property) = (element, property)
    }

    /// Parses a key such as `blendmask.blur`.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(String(parts[0]), String(parts[1]))
    }

    package var description: String { "\(element).\(property)" }

    package static let background = SettingKey("blendmask", "background")
    package static let backgroundSource = SettingKey("blendmask", "background-source")
    package static let instances = SettingKey("personsegment", "instances")
    /// Whether the people are replaced instead of the background.
    static let invert = SettingKey("blendmask", "invert")
    package static let quality = SettingKey("personsegment", "quality")
    /// Whether the frames are mirrored before everything else; belongs to no element.
    package static let mirror = SettingKey("camera", "mirror")
}

/// The settings of the page, from the properties that the elements' classes declare.
package struct Catalog {
    package let settings: [SettingDescription]

    /// Elements whose properties are settings.
    package static let elements = ["blendmask", "personsegment", "poseoverlay"]

    package init() {
        let found = Self.elements.flatMap { element in
            GStreamer.PropertyDescription.all(of: element).compactMap { SettingDescription($0, of: element) }
        }
        let mirror = SettingDescription(
            key: .mirror, kind: .flag, defaultValue: "false",
            summary: "Mirrors the whole picture, as a mirror does")
        settings = found + [mirror]
    }

    package subscript(key: SettingKey) -> SettingDescription? { settings.first { $0.key == key } }
}

// MARK: - From properties

extension SettingDescription {
    /// Returns nil for a property that is not on the page.
    fileprivate init?(_ property: GStreamer.PropertyDescription, of element: String) {
        let key = SettingKey(element, property.name)
        guard property.isLive, !PageTable.hidden.contains(property.name), let kind = Self.kind(property, key)
        else { return nil }
        self.init(
            key: key, kind: kind, defaultValue: PageTable.defaults[key] ?? property.defaultText ?? "",
            // The summary is shown without `(Since: 0.2.0)`.
            summary: property.summary.split(separator: " (Since").first.map { String($0) } ?? "")
    }

    private static func kind(_ property: GStreamer.PropertyDescription, _ key: SettingKey) -> Kind? {
        switch property.kind {
        case .flag: return .flag
        case .integer where property.name.hasSuffix("color"): return .color
        case .integer: return property.range.map { .number($0, isWhole: true) }
        case .number: return property.range.map { .number($0, isWhole: false) }
        case .choice(let words): return .choice(words.filter { !PageTable.isHidden($0.word, of: key) })
        // Texts name files and devices; only the listed properties are harmless.
        case .text: return PageTable.texts[key].map { .text(check: $0) }
        case .other: return nil
        }
    }

    /// Returns the text of a value from the page; nil for an invalid one.
    package func text(of value: JSON) -> String? {
        switch (kind, value) {
        case (.flag, .bool(let flag)): return flag ? "true" : "false"
        case (.number(let range, let isWhole), _):
            guard let number = value.number, range.contains(number) else { return nil }
            guard isWhole else { return "\(number)" }
            return Int(exactly: number).map { "\($0)" }
        case (.color, _): return value.integer.flatMap { UInt32(exactly: $0) }.map { "\($0)" }
        case (.choice(let words), .string(let word)): return words.contains { $0.word == word } ? word : nil
        case (.text(let check), .string(let text)): return text.isEmpty || check(text) ? text : nil
        default: return nil
        }
    }

    /// Returns a text as a value for the page.
    package func json(_ text: String) -> JSON {
        switch kind {
        case .flag: .bool(text == "true")
        case .number: Double(text).map { .number($0) } ?? .null
        case .color: Int(text).map { .integer($0) } ?? .null
        case .choice, .text: .string(text)
        }
    }

    /// Returns the description of the setting, from which the page draws its control.
    ///
    /// - Parameter limit: the limit that keeps the room hidden; nil if there is none.
    fileprivate func fields(_ limit: HiddenRoom.Limit?) -> JSON {
        let name: String
        var more: [(name: String, value: JSON)] = []
        switch kind {
        case .flag: name = "flag"
        case .color: name = "color"
        case .text: name = "text"
        case .choice(let words):
            name = "choice"
            more.append(("words", .array(words.map { .string($0.word) })))
            more.append(("meanings", .array(words.map { .string($0.meaning) })))
        case .number(let range, let isWhole):
            name = isWhole ? "integer" : "number"
            more.append(("minimum", .number(range.lowerBound)))
            more.append(("maximum", .number(min(range.upperBound, limit?.range.upperBound ?? .infinity))))
            if let limit, limit.allowsZero { more.append(("floor", .number(limit.range.lowerBound))) }
        }
        let fields: [(name: String, value: JSON)] = [
            ("key", .string(key.description)), ("label", .string(PageTable.label(of: key))),
            ("summary", .string(summary)), ("initial", json(defaultValue)), ("kind", .string(name)),
        ]
        return .object(fields + more)
    }
}

// MARK: - For the page

extension Catalog {
    /// Returns the settings in groups, for the page.
    func json(showsOriginal: Bool) -> JSON {
        var left = settings.filter {
            !PageTable.drawnSeparately.contains($0.key) && (showsOriginal || $0.key != .invert)
        }
        var groups: [JSON] = []
        for (name, properties) in PageTable.groups {
            let own = properties.compactMap { key in left.first { $0.key == key } }
            left.removeAll { setting in own.contains { $0.key == setting.key } }
            groups.append(group(name, own, showsOriginal))
        }
        if !left.isEmpty { groups.append(group("More", left, showsOriginal)) }
        return .array(groups)
    }

    private func group(_ name: String, _ own: [SettingDescription], _ showsOriginal: Bool) -> JSON {
        let fields = own.map { setting in
            let isLimited = !showsOriginal && setting.key.element == "personsegment"
            return setting.fields(isLimited ? HiddenRoom.masks[setting.key.property] : nil)
        }
        return .object([("name", .string(name)), ("settings", .array(fields))])
    }
}
