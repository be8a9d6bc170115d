import CommandKit
import GStreamerKit
import Imaging
import PeopleSettings
import Properties
import Studio

/// The background and the effects that the options choose.
struct Compositing {
    /// A property of one of the elements, with its value.
    struct Setting: Equatable {
        let element: String
        let property: String
        let value: String
        /// Whether the property is a text.
        let isText: Bool
    }

    /// The chosen background; nil: the original with an effect, black otherwise.
    private(set) var background: Background?
    /// Settings of a preset, which the options change.
    var preset = StudioSettings()
    /// The name of this preset; nil without one.
    var presetName: String?
    /// Settings of the options, in the order in which they were given.
    private(set) var settings: [Setting] = []

    /// Returns the options for a background, of which one may be given, and for the effects.
    static func options(_ backgrounds: [Option<Compositing>] = Background.options) -> [Option<Compositing>] {
        backgrounds + EffectOption.all.map(\.command)
    }

    /// Chooses the background.
    ///
    /// - Throws: when another background has been chosen.
    mutating func choose(_ background: Background) throws(ToolError) {
        guard self.background == nil else { throw .usage("only one background can be given") }
        self.background = background
        try checkBlur()
    }

    /// Takes back the choice of a background, so that another one can be made.
    mutating func removeBackground() { background = nil }

    /// Keeps only the last setting of each property.
    mutating func removeReplacedSettings() {
        for index in settings.indices.reversed() {
            let (element, property) = (settings[index].element, settings[index].property)
            let isReplaced = settings[(index + 1)...].contains {
                $0.element == element && $0.property == property
            }
            if isReplaced { settings.remove(at: index) }
        }
    }

    /// Chooses the colour of an angle; replaces another angle, so that one can be added to a script that has
    /// one.
    mutating func choose(angle: String) throws(ToolError) {
        if case .pose = background { background = nil }
        try choose(.pose(angle))
    }

    mutating func set(_ setting: Setting) throws(ToolError) {
        settings.append(setting)
        try checkBlur()
    }

    /// Throws for a blur of a plain colour, since the user must have meant another background.
    private func checkBlur() throws(ToolError) {
        guard settings.contains(where: { $0.property == "blur" }) else { return }
        guard let background, !background.source.isPicture else { return }
        throw .usage(
            "only one background can be given; --blur works with a picture, a clip or the original background"
        )
    }

    // MARK: - Defaults

    /// Returns these settings, with `background` if no background was chosen.
    func over(_ background: Background) -> Compositing {
        var compositing = self
        compositing.background = self.background ?? background
        return compositing
    }

    /// Whether options or a preset choose the background.
    var hasBackground: Bool {
        background != nil || settings.contains { Backdrop.effects.contains($0.property) }
            || preset.entries.contains {
                $0.key.element == "blendmask" && $0.key.property.hasPrefix("background")
            }
    }

    /// Whether no option and no preset changes anything.
    var isUntouched: Bool { background == nil && settings.isEmpty && preset.entries.isEmpty }

    /// Returns these settings with the original background, blurred.
    func blurred(_ strength: Int) -> Compositing {
        var compositing = self
        compositing.settings.append(
            Setting(element: "blendmask", property: "blur", value: "\(strength)", isText: false))
        return compositing
    }

    // MARK: - Elements

    /// Whether the settings choose some of the people.
    var choosesPeople: Bool {
        settings.contains { $0.property.hasPrefix("instances") || $0.property == "select-by-click" }
            || preset[.instanceMasks] == "true"
    }

    /// Whether heads are hidden.
    var hidesHeads: Bool {
        let choice = settings.last { $0.property == SettingKey.heads.property }?.value
        return choice.map { $0 != "keep" } ?? preset.hidesHeads
    }

    /// Whether the settings name people by the ids of one stream.
    var dependsOnIDs: Bool {
        choosesPeople || settings.contains { $0.property.hasPrefix(SettingKey.heads.property + "-") }
    }

    /// Whether each of the people needs a mask.
    var needsInstances: Bool { choosesPeople || hidesHeads }

    /// The elements that find the heads of all people whom they can find, as a pipeline description.
    static let headFinders = "facepose max-faces=16 ! bodypose max-people=16"

    /// Whether frames stay as they are.
    var changesNothing: Bool { background == .original && settings.isEmpty && preset.entries.isEmpty }

    /// The elements before `blendmask`, as a pipeline description.
    var analysis: String {
        let segment = "personsegment name=personsegment"
        let people = hidesHeads ? "\(segment) ! \(Self.headFinders)" : segment
        return switch background {
        // Nothing changes, so no people are searched for.
        case .original where changesNothing: "identity"
        case .pose where !hidesHeads: "facepose name=facepose ! \(people)"
        case nil where preset[.backgroundSource] == "pose" && !hidesHeads:
            "facepose name=facepose ! \(people)"
        case .picture, .color, .transparent, .original, .pose, nil: people
        }
    }

    /// All properties of `personsegment` and `blendmask`, of which the last counts if one is there twice.
    var allSettings: [Setting] {
        let separate = Setting(
            element: "personsegment", property: "instance-masks", value: "true", isText: false)
        return presetSettings + (background?.settings ?? []) + (needsInstances ? [separate] : []) + settings
    }

    /// The properties of a preset, except a background if the options have chosen one.
    private var presetSettings: [Setting] {
        preset.entries.compactMap { entry in
            let (element, property) = (entry.key.element, entry.key.property)
            let isBackground = property.hasPrefix("background") || Backdrop.effects.contains(property)
            guard entry.key != .quality, ["blendmask", "personsegment"].contains(element),
                background == nil || !isBackground
            else { return nil }
            var isText = false
            if case .text? = PropertyTable.row(element, property)?.facts.kind { isText = true }
            return Setting(element: element, property: property, value: entry.text, isText: isText)
        }
    }

    /// Sets the properties of `personsegment` and `blendmask` in a chain.
    func apply(to chain: GStreamer.Element) {
        for setting in allSettings {
            if let element = chain.element(named: setting.element) { setting.apply(to: element) }
        }
    }
}

extension [Compositing.Setting] {
    /// Sets the properties of an element that the settings of a request or composer have.
    func apply<Settings: ElementSettings>(to element: String, _ settings: inout Settings) {
        let properties = Settings.properties
        for setting in self where setting.element == element {
            guard let property = properties.first(where: { $0.name == setting.property }),
                let value = property.kind.value(of: setting.value)
            else { continue }
            property.write(&settings, value)
        }
    }
}

extension Compositing.Setting {
    func apply(to element: GStreamer.Element) {
        if isText { element.set(property, to: value) } else { element.set(property, parsing: value) }
    }
}

extension SettingKey {
    static let heads = SettingKey("blendmask", "heads")
}

extension StudioSettings {
    /// Whether heads are hidden.
    var hidesHeads: Bool { self[.heads].map { $0 != "keep" } ?? false }
}

/// The background behind the people.
enum Background: Equatable {
    case picture(String)
    /// 0xAARRGGBB.
    case color(UInt32)
    /// No background: the output has alpha.
    case transparent
    /// A colour that follows all angles of the largest face, or one of them; a value of `pose-angle`.
    case pose(String)
    /// The frame's own background.
    case original
}

extension Background {
    /// The kind of background in `blendmask`.
    var source: Backdrop.Source {
        switch self {
        case .picture: .picture
        case .color: .color
        case .transparent: .transparent
        case .pose: .pose
        case .original: .original
        }
    }

    /// The options that choose a background; one of them may be given.
    static var options: [Option<Compositing>] {
        [
            Option(
                "background", .file("F"),
                "picture or clip behind the people, as path or URI; a clip plays in a loop"
            ) { (compositing: inout Compositing, text: String) throws(ToolError) in
                try compositing.choose(.picture(text))
            },
            Option("color", .text("RRGGBB"), "plain colour behind the people, such as 00b140") {
                (compositing: inout Compositing, text: String) throws(ToolError) in
                try compositing.choose(.color(gst_people.color(text, of: "color")))
            },
            Option("original", .none, "keep the original background, for effects such as --halo-width") {
                (compositing: inout Compositing, _: String) throws(ToolError) in
                try compositing.choose(.original)
            },
            Option(
                "pose-color", .none,
                "colour that follows the largest face: roll sets red, pitch sets green, yaw sets blue"
            ) { (compositing: inout Compositing, _: String) throws(ToolError) in
                try compositing.choose(.pose("all"))
            },
            Option(
                "angle", .word(angles),
                "colour of one angle of the largest face: red if positive, blue if negative, white at 0"
            ) { (compositing: inout Compositing, text: String) throws(ToolError) in
                guard angles.contains(text) else {
                    throw .usage("--angle is \(angles.joined(separator: ", ")), not \(text)")
                }
                try compositing.choose(angle: text)
            },
        ]
    }

    /// The option for commands whose output may have alpha.
    static var transparentOption: Option<Compositing> {
        Option(
            "transparent", .none,
            "no background: OUT has an alpha channel, and is a .mov video, or a .png or .webp image"
        ) {
            (compositing: inout Compositing, _: String) throws(ToolError) in
            try compositing.choose(.transparent)
        }
    }

    private static var angles: [String] { ["roll", "yaw", "pitch"] }

    /// The properties of a `blendmask`.
    var settings: [Compositing.Setting] {
        func setting(_ property: String, _ value: String, isText: Bool = false) -> Compositing.Setting {
            Compositing.Setting(element: "blendmask", property: property, value: value, isText: isText)
        }
        return switch self {
        case .picture(let location): [setting("background", location, isText: true)]
        case .color(let color): [setting("background-color", "\(color)")]
        case .transparent: [setting("background-source", "transparent")]
        case .pose(let angle): [setting("background-source", "pose"), setting("pose-angle", angle)]
        case .original: [setting("background-source", "original")]
        }
    }
}

/// Parses a colour, the value of the option `name`.
///
/// - Parameter text: RRGGBB with or without `#` or `0x`; eight digits are 0xAARRGGBB, whose alpha is ignored.
/// - Returns: 0xFFRRGGBB.
func color(_ text: String, of name: String) throws(ToolError) -> UInt32 {
    guard let color = PropertyText.color(text) else {
        throw .usage("--\(name) takes six hexadecimal digits such as 00b140, not \(text)")
    }
    return color
}
