import CommandKit
import Studio

extension Preset {
    /// Returns the option that loads a preset; options of the same command line override the preset.
    static func option<Settings>(
        _ compositing: WritableKeyPath<Settings, Compositing>, _ quality: WritableKeyPath<Settings, String>,
        _ mirror: WritableKeyPath<Settings, Bool>? = nil
    ) -> Option<Settings> {
        Option(
            "preset", .text("NAME"), "settings that were saved in the studio; other options go before them"
        ) {
            (settings: inout Settings, name: String) throws(ToolError) in
            try use(name, in: &settings, compositing, quality, mirror)
        }
    }

    /// Loads a preset into the settings of a command.
    static func use<Settings>(
        _ name: String, in settings: inout Settings, _ compositing: WritableKeyPath<Settings, Compositing>,
        _ quality: WritableKeyPath<Settings, String>, _ mirror: WritableKeyPath<Settings, Bool>? = nil
    ) throws(ToolError) {
        let preset = try load(name)
        settings[keyPath: compositing].preset = preset
        if let level = preset[.quality] { settings[keyPath: quality] = level }
        if let mirror, preset.isMirrored { settings[keyPath: mirror] = true }
    }
}

extension StudioSettings {
    /// Creates the settings of a camera command's options.
    init(_ live: LiveOptions) {
        self = live.compositing.preset
        _ = read(.quality, live.quality)
        if live.turn.isMirrored { self[.mirror] = "true" }
        if let framing = live.framing.framing { follow(framing) }
        set(live.wholeCompositing)
    }

    private mutating func set(_ compositing: Compositing) {
        switch compositing.background {
        case .picture(let path):
            self[.background] = path
            self[.backgroundSource] = "auto"
        case .color(let color):
            self[.backgroundSource] = "color"
            self[SettingKey("blendmask", "background-color")] = "\(color)"
        case .original: self[.backgroundSource] = "original"
        // Backgrounds that need other elements, or alpha, are not on the page.
        case .transparent, .pose, nil: break
        }
        if compositing.needsInstances { self[.instanceMasks] = "true" }
        for setting in compositing.settings {
            // The options have already accepted the value.
            _ = read(SettingKey(setting.element, setting.property), setting.value)
        }
    }
}
