import CommandKit
import GStreamerKit
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
        settings[keyPath: compositing].presetName = name
        if let level = preset[.quality] { settings[keyPath: quality] = level }
        if let mirror, preset.isMirrored { settings[keyPath: mirror] = true }
    }
}

extension LiveOptions {
    /// The option that takes the camera and the preset that were used last.
    static var last: Option<LiveOptions> {
        Option(
            "last", .none,
            "the camera and the preset of last time, here or in the studio; other options go before them"
        ) {
            (options: inout LiveOptions, _: String) throws(ToolError) in
            let last = LastUsed()
            options.take(last)
            options.takePreset(of: last)
        }
    }

    /// Takes the camera that was used last, if it is there.
    mutating func take(_ last: LastUsed) {
        guard let name = last.camera, camera == nil else { return }
        GStreamer.initialize()
        guard StudioDevices.cameras.contains(where: { $0.id == name }) else {
            return printDiagnostic("the camera of last time, \(name), is not there; the first one is used")
        }
        camera = name
    }

    /// Takes the preset that was used last, if it can be read.
    mutating func takePreset(of last: LastUsed) {
        guard let name = last.preset else { return }
        do throws(ToolError) {
            try Preset.use(name, in: &self, \.compositing, \.quality, \.turn.isMirrored)
        } catch { printDiagnostic("the preset of last time is not used: \(error.message)") }
    }

    /// Remembers the camera and the preset for the next time, unless elements stand for the camera or its readers.
    func remember() {
        guard source == nil, sink == nil else { return }
        LastUsed.note(camera: camera, preset: compositing.presetName)
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
