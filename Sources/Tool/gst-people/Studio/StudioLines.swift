import CommandKit
import Framing
import GStreamerKit
import Imaging
import JSON
import Properties
import Studio

/// The settings as command lines and programs that give the same picture elsewhere.
struct StudioLines {
    private let options: LiveOptions
    private let source: LiveSource
    private let settings: StudioSettings

    init(_ options: LiveOptions, _ source: LiveSource, _ settings: StudioSettings) {
        (self.options, self.source, self.settings) = (options, source, settings)
    }

    var json: JSON {
        let (command, left) = command
        return .object([
            ("launch", .string(launch)), ("python", .string(python)), ("command", .string(command)),
            ("left", .array(left.map { .string($0.description) })),
        ])
    }

    // MARK: - Pipelines

    /// The words of the pipeline, with unquoted values.
    private var words: [String] {
        var words = Self.words(of: source.description) + ["!"]
        if !turn.isNone { words += ["videoflip", "video-direction=\(turn.direction)", "!"] }
        for finder in OverlayFinder.needed({ settings[$0] }) {
            words += Self.words(of: finder.elements) + ["!"]
        }
        words += ["personsegment"] + properties(of: "personsegment") + ["!"]
        if settings.hidesHeads { words += Self.words(of: Compositing.headFinders) + ["!"] }
        if settings.follows {
            for element in settings.framingElements(hasFinder: settings.hidesHeads).dropLast() {
                words += Self.words(of: element) + ["!"]
            }
            words += ["autoframe"] + properties(of: "autoframe") + ["!"]
        }
        words += ["blendmask"] + properties(of: "blendmask") + ["!"]
        let set = properties(of: "poseoverlay")
        if !set.isEmpty {
            let none = OverlayFinder.all.map(\.property).filter { property in
                !set.contains { $0.hasPrefix(property) }
            }
            words += ["poseoverlay"] + set + none.map { "\($0)=none" } + ["!"]
        }
        return words + ["videoconvert", "!", "autovideosink", "sync=false"]
    }

    private var turn: CameraTurn { options.turn.mirrored(settings.isMirrored) }

    private func properties(of element: String) -> [String] {
        settings.entries.filter { $0.key.element == element && !$0.text.isEmpty && isChanged($0) }
            .map { "\($0.key.property)=\($0.text)" }
    }

    /// Whether a value differs from the element's own default.
    private func isChanged(_ entry: (key: SettingKey, text: String)) -> Bool {
        let property = GStreamer.PropertyDescription(entry.key.property, of: entry.key.element)
        guard let property, property.defaultText != entry.text else { return false }
        let standard = property.defaultText.flatMap { Double($0) }
        return standard == nil || standard != Double(entry.text)
    }

    private var launch: String {
        // The words are quoted for the shell; gst-launch-1.0 quotes them for the pipeline description.
        let elements = words.split(separator: "!").map { FileSystem.shellLine(Array($0)) }
        return "gst-launch-1.0 " + elements.joined(separator: " ! ")
    }

    private var python: String {
        let description = words.map { word in
            guard !FileSystem.isPlainWord(word), let equals = word.firstIndex(of: "=") else { return word }
            return word[...equals] + descriptionText(String(word[word.index(after: equals)...]))
        }.joined(separator: " ")
        return """
            import gi
            gi.require_version("Gst", "1.0")
            from gi.repository import Gst

            Gst.init(None)
            pipeline = Gst.parse_launch(\(JSON.string(description).text))
            pipeline.set_state(Gst.State.PLAYING)
            message = pipeline.get_bus().timed_pop_filtered(
                Gst.CLOCK_TIME_NONE, Gst.MessageType.ERROR | Gst.MessageType.EOS)
            pipeline.set_state(Gst.State.NULL)
            if message.type == Gst.MessageType.ERROR:
                raise SystemExit(message.parse_error().gerror.message)

            """
    }

    /// Returns the words of a pipeline description, without its quotes.
    private static func words(of description: String) -> [String] {
        var (words, word, isQuoted, isEscaped) = ([String](), "", false, false)
        for character in description {
            switch character {
            case _ where isEscaped:
                word.append(character)
                isEscaped = false
            case "\\": isEscaped = true
            case "\"": isQuoted.toggle()
            case " " where !isQuoted:
                if !word.isEmpty { words.append(word) }
                word = ""
            default: word.append(character)
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    // MARK: - Command

    /// The command, and the settings that have no option.
    private var command: (line: String, left: [SettingKey]) {
        var words: [String]
        if let video = options.video {
            words = ["gst-people", "video", video, "OUT.mp4"]
        } else {
            words = ["gst-people", "webcam"] + (source.isClip ? ["--stand-in"] : [])
            if let camera = options.camera { words.append("--camera=\(camera)") }
            if let elements = options.source { words.append("--source=\(elements)") }
            words += turn.words
        }
        if let size = options.size { words.append("--size=\(size.width)x\(size.height)") }
        words.append("--quality=\(settings[.quality] ?? "balanced")")
        if settings.follows {
            words.append("--framing=\(settings[.framing] ?? FramingChoice.headAndShoulders.rawValue)")
        }
        let background = background
        words += background.words
        var left = options.video != nil && settings.isMirrored ? [SettingKey.mirror] : []
        for entry in settings.entries where !entry.text.isEmpty && isChanged(entry) {
            guard !background.covers(entry.key), entry.key != .framing else { continue }
            guard let option = EffectOption.option(for: entry.key), let word = option.word(entry.text) else {
                left.append(entry.key)
                continue
            }
            words.append(word)
        }
        return (FileSystem.shellLine(words), left)
    }

    private struct BackgroundWords {
        let words: [String]
        let isPlain: Bool

        /// Whether these words, or others of the command, cover a setting.
        func covers(_ key: SettingKey) -> Bool {
            let properties =
                ["background", "background-source", "pose-angle"]
                + (isPlain ? ["background-color"] + Backdrop.effects : [])
            return [.quality, .instanceMasks].contains(key)
                || key.element == "blendmask" && properties.contains(key.property)
        }
    }

    private var background: BackgroundWords {
        let blend = { settings[SettingKey("blendmask", $0)] }
        let path = settings[.background].flatMap { $0.isEmpty ? nil : $0 }
        let backdrop = settings.backdrop
        switch (backdrop.resolved, path) {
        // Effects imply the original background.
        case (.original, _):
            return BackgroundWords(words: backdrop.source == .auto ? [] : ["--original"], isPlain: false)
        case (.pose, _):
            let angle = blend("pose-angle") ?? "all"
            return BackgroundWords(
                words: [angle == "all" ? "--pose-color" : "--angle=\(angle)"], isPlain: true)
        case (.picture, let path?), (.clip, let path?):
            return BackgroundWords(words: ["--background=\(path)"], isPlain: false)
        default:
            let color = UInt32(blend("background-color") ?? "") ?? 0
            return BackgroundWords(words: ["--color=" + PropertyText.digits(of: color)], isPlain: true)
        }
    }
}

extension EffectOption {
    fileprivate static func option(for key: SettingKey) -> EffectOption? {
        all.first { $0.element == key.element && $0.property == key.property }
    }
}
