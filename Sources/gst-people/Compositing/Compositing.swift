import CommandKit
import GStreamerKit
import Imaging
import Studio

/// What stands behind the people, and the effects that the options of the table ask for.
struct Compositing {
    /// A property of one of the elements.
    struct Setting: Equatable {
        let element: EffectOption.Element
        let property: String
        let value: String
        /// Whether the property is a text.
        let isText: Bool
    }

    /// Nil for black, or for the frame's own where an effect is on what is behind the people.
    private(set) var background: Background?
    /// What the options change.
    var preset = StudioSettings()
    /// In the order of the table.
    private(set) var settings: [Setting] = []

    /// The options that choose a background, of which one may be given, and those of the effects.
    static func options(_ backgrounds: [Option<Compositing>] = Background.options) -> [Option<Compositing>] {
        backgrounds + EffectOption.all.map(\.option)
    }

    /// - Throws: when another one was chosen.
    mutating func choose(_ background: Background) throws(ToolError) {
        guard self.background == nil else { throw .usage("only one background can be given") }
        self.background = background
        try checkBlur()
    }

    /// Chooses another angle: scripts that give one can be given another.
    mutating func choose(angle: String) throws(ToolError) {
        if case .pose = background { background = nil }
        try choose(.pose(angle))
    }

    mutating func set(_ setting: Setting) throws(ToolError) {
        settings.append(setting)
        try checkBlur()
    }

    /// Who blurs a plain colour has meant another background.
    private func checkBlur() throws(ToolError) {
        guard settings.contains(where: { $0.property == "blur" }) else { return }
        guard let background, !background.source.isPicture else { return }
        throw .usage(
            "only one background can be given; --blur works with a picture, a clip or the original background"
        )
    }

    // MARK: - Defaults

    /// This, with `background` where none is chosen.
    func over(_ background: Background) -> Compositing {
        var compositing = self
        compositing.background = self.background ?? background
        return compositing
    }

    /// Whether options say what is behind the people.
    var hasBackground: Bool {
        background != nil || settings.contains { Backdrop.effects.contains($0.property) }
            || preset.entries.contains {
                $0.key.element == "blendmask" && $0.key.property.hasPrefix("background")
            }
    }

    /// The frame's own background, blurred.
    func blurred(_ strength: Int) -> Compositing {
        var compositing = self
        compositing.settings.append(
            Setting(element: .blendmask, property: "blur", value: "\(strength)", isText: false))
        return compositing
    }

    // MARK: - Elements

    /// Whether some of the people are chosen.
    var choosesPeople: Bool {
        settings.contains { $0.property.hasPrefix("instances") || $0.property == "select-by-click" }
            || preset[.instances] == "true"
    }

    /// The elements before `blendmask`, as a pipeline description.
    var analysis: String {
        let people = "personsegment name=personsegment"
        return switch background {
        // Nothing changes, so that no people are searched.
        case .original where settings.isEmpty && preset.entries.isEmpty: "identity"
        case .pose: "facepose name=facepose ! \(people)"
        case .picture, .color, .transparent, .original, nil: people
        }
    }

    /// Sets the properties of `personsegment` and `blendmask` in a chain.
    func apply(to chain: GStreamer.Element) {
        apply(preset, to: chain)
        if let background, let blend = chain.element(named: "blendmask") { background.apply(to: blend) }
        if choosesPeople { chain.element(named: "personsegment")?.set("instances", parsing: "true") }
        for setting in settings {
            if let element = chain.element(named: setting.element.rawValue) { setting.apply(to: element) }
        }
    }
}

extension Compositing {
    /// Sets what a preset says, except what these options have chosen otherwise.
    private func apply(_ preset: StudioSettings, to chain: GStreamer.Element) {
        for entry in preset.entries where entry.key != .quality {
            let isBackground =
                entry.key.property.hasPrefix("background") || Backdrop.effects.contains(entry.key.property)
            guard let element = EffectOption.Element(rawValue: entry.key.element),
                background == nil || !isBackground
            else { continue }
            let isText =
                GStreamer.PropertyDescription(entry.key.property, of: entry.key.element)?.isText ?? false
            let setting = Setting(
                element: element, property: entry.key.property, value: entry.text, isText: isText)
            if let element = chain.element(named: entry.key.element) { setting.apply(to: element) }
        }
    }
}

extension Compositing.Setting {
    func apply(to element: GStreamer.Element) {
        if isText { element.set(property, to: value) } else { element.set(property, parsing: value) }
    }
}
