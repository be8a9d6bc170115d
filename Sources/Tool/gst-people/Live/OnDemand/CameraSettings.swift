import CommandKit
import Studio

/// The settings of a camera that change while it is offered: the options of its command line, a preset, and
/// single properties.
struct CameraSettings {
    private(set) var options: LiveOptions
    /// The name of the preset; nil if none was chosen since the start.
    private(set) var preset: String?

    init(_ options: LiveOptions) { self.options = options }

    /// The settings as the text of a preset.
    var text: String { Preset.text(StudioSettings(options)) }

    /// Takes over the settings of a page in place of those of the command line.
    mutating func use(_ settings: StudioSettings) {
        options.compositing = Compositing()
        options.compositing.preset = settings
        options.quality = settings[.quality] ?? options.quality
        options.turn = options.turn.mirrored(settings.isMirrored)
        options.framing = FramingOptions()
    }

    /// Returns the elements' properties that differ from other settings; nil where the difference needs new elements.
    func changes(since other: CameraSettings) -> [Compositing.Setting]? {
        let (new, old) = (options.wholeCompositing, other.options.wholeCompositing)
        let framing = { (options: LiveOptions) in
            FramingOptions.live(
                options.framing.framing, options.compositing.preset, hasFinder: options.compositing.hidesHeads
            )
        }
        guard new.hasSameAnalysis(as: old), options.turn.direction == other.options.turn.direction,
            framing(options) == framing(other.options)
        else { return nil }
        let (before, after) = (old.allSettings, new.allSettings)
        // A property without a value now has to get its default.
        let hasAll = before.allSatisfy { setting in
            after.contains { $0.element == setting.element && $0.property == setting.property }
        }
        guard hasAll else { return nil }
        let quality = Compositing.Setting(
            element: SettingKey.quality.element, property: SettingKey.quality.property,
            value: options.quality, isText: false)
        let isSame = options.quality == other.options.quality
        return after.filter { !before.contains($0) } + (isSame ? [] : [quality])
    }

    /// Loads a preset, which the options of the command line change.
    mutating func use(preset name: String) throws(ToolError) {
        try Preset.use(name, in: &options, \.compositing, \.quality, \.turn.isMirrored)
        preset = name
    }

    /// Sets a property: an option of the command line without its dashes.
    ///
    /// - Parameter value: `false` takes back an option without a value.
    /// - Returns: the change of an element's property; nil where elements have to be made anew.
    mutating func set(_ name: String, to value: String) throws(ToolError) -> Compositing.Setting? {
        if let effect = EffectOption.all.first(where: { $0.name == name }) {
            return try set(effect, to: value)
        }
        let choices = Background.options.map { $0.inside(\LiveOptions.compositing) }
        guard let option = choices.first(where: { $0.name == name }) else {
            throw .usage("there is no property \(name); properties are options such as blur and background")
        }
        var changed = options
        changed.compositing.removeBackground()
        try option.apply(&changed, value)
        options = changed
        return nil
    }

    private mutating func set(
        _ effect: EffectOption, to value: String
    ) throws(ToolError) -> Compositing.Setting? {
        let before = options.wholeCompositing
        if effect.isFlag {
            guard ["", "true", "false"].contains(value) else {
                throw .usage("\(effect.name) is true or false, not \(value)")
            }
            try options.compositing.set(
                .init(
                    element: effect.element, property: effect.property,
                    value: value.isEmpty ? "true" : value, isText: false))
        } else {
            try effect.command.apply(&options.compositing, value)
        }
        options.compositing.removeReplacedSettings()
        return options.wholeCompositing.hasSameElements(as: before)
            ? options.compositing.settings.last : nil
    }
}

extension Compositing {
    /// Whether other settings need the same elements and the same background.
    fileprivate func hasSameElements(as other: Compositing) -> Bool {
        hasSameAnalysis(as: other) && background == other.background
    }

    fileprivate func hasSameAnalysis(as other: Compositing) -> Bool {
        analysis == other.analysis && needsInstances == other.needsInstances
    }
}
