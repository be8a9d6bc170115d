import Imaging
package import JSON
import PeopleSettings
package import Properties

/// A property that can be set from the page.
package struct SettingDescription: Sendable {
    package enum Kind: Sendable {
        case flag
        case number(ClosedRange<Double>, isWhole: Bool)
        case color
        /// One of several words.
        case choice([PropertyWords.Word])
        case text(TextForm)
    }

    package let key: SettingKey
    let kind: Kind
    /// The control; its label, unit and range of the slider are the page's.
    let control: PropertyControl
    /// Whether the page has a control of its own for the setting, apart from the groups.
    let isDrawnSeparately: Bool
    /// The numbers that keep the room hidden; nil for all.
    let roomRule: RoomRule?
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
    package static let instanceMasks = SettingKey("personsegment", "instance-masks")
    /// Whether the people are replaced instead of the background.
    static let invert = SettingKey("blendmask", "invert")
    static let blur = SettingKey("blendmask", "blur")
    package static let quality = SettingKey("personsegment", "quality")
    /// Whether the frames are mirrored before everything else; belongs to no element.
    package static let mirror = SettingKey("camera", "mirror")
    /// Whether the picture follows the people; belongs to no element.
    package static let follow = SettingKey("camera", "follow")
    package static let framing = SettingKey("autoframe", "framing")

    /// Whether the setting is true or false, and belongs to no element.
    package var isOfCamera: Bool { element == "camera" }
}

/// The settings of the page: the rows of the table of properties that it offers, and those of the camera.
package struct Catalog {
    package let settings: [SettingDescription]

    package init() {
        settings = [.mirror, .follow] + PropertyTable.rows.compactMap { SettingDescription($0) }
    }

    package subscript(key: SettingKey) -> SettingDescription? { settings.first { $0.key == key } }
}

// MARK: - From properties

extension SettingDescription {
    /// The mirror, in which people see themselves: it comes first among the settings of people.
    fileprivate static let mirror = SettingDescription(
        key: .mirror, kind: .flag,
        control: PropertyControl(label: "Mirror the picture", group: .people, place: 0),
        isDrawnSeparately: false, roomRule: nil, defaultValue: "false",
        summary: "Mirrors the whole picture, as a mirror does")

    /// The switch with which the picture follows the people.
    fileprivate static let follow = SettingDescription(
        key: .follow, kind: .flag, control: PropertyControl(label: "Follow me", group: .framing, place: 1),
        isDrawnSeparately: false, roomRule: nil, defaultValue: "false",
        summary: "Crops the picture to the people, and follows them")

    /// Returns nil for a property that is not on the page.
    fileprivate init?(_ row: PropertyTable.Row) {
        let facts = row.facts
        guard facts.isOffered(by: .page), let control = facts.control else { return nil }
        let key = SettingKey(row.element, row.property)
        self.init(
            key: key, kind: Self.kind(facts), control: control,
            isDrawnSeparately: facts.ownControls.contains(.page), roomRule: facts.roomRule,
            defaultValue: Self.defaultValue(of: key, control.group) ?? row.initialText,
            // The summary is shown without `(Since: 0.2.0)`.
            summary: facts.blurb.split(separator: " (Since").first.map { String($0) } ?? "")
    }

    /// Returns the page's own default: the quality level of the other live commands, and no drawings.
    private static func defaultValue(of key: SettingKey, _ group: PropertyGroup) -> String? {
        key == .quality ? "fast" : group == .overlays ? "none" : nil
    }

    private static func kind(_ facts: PropertyFacts) -> Kind {
        switch facts.kind {
        case .bool: .flag
        case .color: .color
        case .int, .int64: .number(facts.kind.range ?? 0...0, isWhole: true)
        case .double(let range): .number(range, isWhole: false)
        case .choice: .choice(facts.words(for: .page))
        case .text(let form): .text(form)
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
        case (.text(let form), .string(let text)): return text.isEmpty || form.accepts(text) ? text : nil
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
    /// - Parameter showsOriginal: whether the room may be seen; otherwise the control has the limits that hide it.
    fileprivate func fields(showsOriginal: Bool) -> JSON {
        let name: String
        var more: [(name: String, value: JSON)] = []
        switch kind {
        case .flag: name = "flag"
        case .color: name = "color"
        case .text: name = "text"
        case .choice(let words):
            name = "choice"
            more.append(("words", .array(words.map { .string($0.word) })))
            more.append(("labels", .array(words.map { .string($0.label) })))
            more.append(("meanings", .array(words.map { .string($0.blurb) })))
        case .number(let range, let isWhole):
            name = isWhole ? "integer" : "number"
            more += limits(range, showsOriginal: showsOriginal)
        }
        let fields: [(name: String, value: JSON)] = [
            ("key", .string(key.description)), ("label", .string(control.label)),
            ("summary", .string(summary)), ("initial", json(defaultValue)), ("kind", .string(name)),
            ("needs", .array(control.needs.map { .string($0.rawValue) })),
        ]
        return .object(fields + more)
    }

    private func limits(
        _ range: ClosedRange<Double>, showsOriginal: Bool
    ) -> [(name: String, value: JSON)] {
        var (upper, fields) = (range.upperBound, [(name: String, value: JSON)]())
        if !showsOriginal, case .range(let hiding, let orZero)? = roomRule {
            upper = min(upper, hiding.upperBound)
            if orZero { fields.append(("floor", .number(hiding.lowerBound))) }
        }
        fields += [("minimum", .number(range.lowerBound)), ("maximum", .number(upper))]
        if let unit = control.unit { fields.append(("unit", .string(unit.rawValue))) }
        if let slider = control.softRange {
            fields.append(("slider", .array([.number(slider.lowerBound), .number(slider.upperBound)])))
        }
        return fields
    }
}

extension PropertyTable.Row {
    /// The default, as GStreamer writes it; empty for a text that is not set.
    fileprivate var initialText: String {
        switch initial {
        case .int(let value): "\(value)"
        case .int64(let value): "\(value)"
        case .double(let value): "\(value)"
        case .color(let value): "\(value)"
        case .bool(let value): "\(value)"
        case .text(let value): value ?? ""
        case .choice(let index): facts.word(at: index) ?? ""
        }
    }
}

// MARK: - For the page

extension Catalog {
    /// Returns the settings in groups, for the page.
    func json(showsOriginal: Bool) -> JSON {
        let drawn = settings.filter { !$0.isDrawnSeparately && (showsOriginal || $0.key != .invert) }
        let groups = PropertyGroup.allCases.compactMap { group -> JSON? in
            let own = drawn.filter { $0.control.group == group }.sorted {
                $0.control.place < $1.control.place
            }
            guard !own.isEmpty else { return nil }
            let fields = own.map { $0.fields(showsOriginal: showsOriginal) }
            return .object([("name", .string(group.rawValue)), ("settings", .array(fields))])
        }
        return .array(groups)
    }
}
