import CommandKit
import GStreamerKit

/// An option that sets a property of `personsegment` or `blendmask`.
///
/// The range of a number is the property's own.
struct EffectOption {
    enum Element: String {
        case personsegment, blendmask
    }

    /// The kind of an option's value.
    enum Kind: Equatable {
        /// No value: the option sets the property to true.
        case flag
        /// A number; the associated word stands for it in help.
        case number(String)
        case word([String])
        case color
        /// Ids of people.
        case people
        /// A place in the frame.
        case place
        /// Any text; the associated word stands for it in help.
        case text(String)
        /// A file name.
        case file
    }

    let name: String
    let element: Element
    let property: String
    let kind: Kind
    let summary: String

    /// Makes an option for a property of `blendmask`, which has the option's name by default.
    static func blend(_ name: String, property: String? = nil, _ kind: Kind, _ summary: String) -> Self {
        Self(name: name, element: .blendmask, property: property ?? name, kind: kind, summary: summary)
    }

    /// Makes an option for a property of `personsegment`, which has the option's name by default.
    static func segment(_ name: String, property: String? = nil, _ kind: Kind, _ summary: String) -> Self {
        Self(name: name, element: .personsegment, property: property ?? name, kind: kind, summary: summary)
    }
}

// MARK: - The table

extension EffectOption {
    /// The options of every command that replaces the background.
    static let all = background + picture + edges + people + selection + heads + mask

    /// The options for commands without a background of their own.
    static let overlay = people + selection + heads + mask

    /// Effects on the background; without other options they apply to the frame's own background.
    static let background: [EffectOption] = [
        .blend("blur", .number("N"), "blur of the background: 0 to 100"),
        .blend("exposure", .number("STOPS"), "exposure change of the background, in stops: -10 to 10"),
        .blend("desaturate", .number("N"), "desaturation of the background; 1 is grey: 0 to 1"),
    ]

    /// The display of a picture or clip.
    static let picture: [EffectOption] = [
        .blend(
            "background-fit", .word(["cover", "contain", "stretch", "tile"]),
            "how the picture or clip is fitted into the frame"),
        .blend("mirror-background", property: "mirror", .flag, "mirror the picture or clip horizontally"),
    ]

    /// The adaptation of the people's edges to the background.
    static let edges: [EffectOption] = [
        .blend(
            "light-wrap", .number("N"), "amount of background light on the people's edges: 0 to 1"
        ),
        .blend(
            "decontaminate", .word(["false", "true", "auto"]),
            "remove the original background's colour from soft edges"),
    ]

    /// Additions to the people.
    static let people: [EffectOption] = [
        .blend("shadow", property: "shadow-opacity", .number("N"), "opacity of the people's shadow: 0 to 1"),
        .blend(
            "shadow-x", .number("PERCENT"),
            "offset of the shadow to the right, in percent of the frame's height: -100 to 100"),
        .blend(
            "shadow-y", .number("PERCENT"),
            "offset of the shadow downwards, in percent of the frame's height: -100 to 100"),
        .blend(
            "shadow-radius", .number("PERCENT"),
            "blur radius of the shadow, in percent of the frame's height: 0 to 50"),
        .blend(
            "halo-width", .number("PERCENT"),
            "width of an outline around the people, in percent of the frame's height: 0 to 20"),
        .blend("halo-color", .color, "colour of the outline (default: white)"),
        .blend("invert", .flag, "replace the people and keep the background"),
        .blend("show", .word(["result", "mask"]), "what to show: the result, or the mask (white = people)"),
    ]

    /// The choice of the people who are shown.
    static let selection: [EffectOption] = [
        .blend("instances", .people, "show only the people with these ids, such as 1,3"),
        .blend(
            "instances-at", .place,
            "show only the person at this point, as fractions of the frame, such as 0.4,0.5"),
        .blend("instances-except", .people, "hide the people with these ids, such as 2"),
        .segment("max-instances", .number("N"), "maximum number of people with their own mask: 1 to 12"),
    ]

    /// The people whose heads are hidden, and the way.
    static let heads: [EffectOption] = [
        .blend(
            "heads", .word(["keep", "blur", "pixelate", "cover"]),
            "hide people's heads; cover uses the background colour (default: keep)"),
        .blend("heads-of", .people, "hide only the heads of the people with these ids, such as 1,3"),
        .blend(
            "heads-at", .place,
            "hide only the head of the person at this point, as fractions of the frame, such as 0.4,0.5"),
        .blend("heads-except", .people, "hide all heads but those of the people with these ids, such as 2"),
    ]

    /// The segmentation and the filters of the mask.
    static let mask: [EffectOption] = [
        .segment(
            "feather", .number("PERCENT"),
            "blur of the mask's outline, in percent of its shorter side: 0 to 20"),
        .segment(
            "expand", .number("PERCENT"),
            "grow the mask by this percentage of its shorter side; negative shrinks it: -20 to 20"),
        .segment(
            "threshold", .number("N"),
            "coverage that separates background from people; 0 keeps soft edges: 0 to 1"),
        .segment(
            "min-area", .number("PERCENT"),
            "remove parts of the mask smaller than this percentage of the frame: 0 to 100"),
        .segment("smoothing", .number("N"), "temporal smoothing of the mask; 0 is off: 0 to 1"),
        .segment("inference-interval", .number("N"), "analyse every Nth frame: 1 to 1000"),
        .segment(
            "lookahead", .number("N"),
            "let each frame wait for N more, whose masks correct its own; -1 as suits the quality: -1 to 8"),
        .segment(
            "inference-device", property: "device", .text("DEVICE"),
            "OpenVINO device that runs the models: CPU, GPU, NPU or AUTO"),
        .segment(
            "model", property: "model-path", .file,
            "name of a prepared model, a model file, or a folder of models"),
        .segment(
            "precision", .word(["auto", "f32"]),
            "arithmetic of the models; f32 gives the same masks on every CPU"),
        .segment("threads", .number("N"), "number of inference threads; 0 chooses by model: 0 to 256"),
    ]

    /// The options for commands that show the frames in a window.
    static let window: [EffectOption] = [
        .blend("select-by-click", .flag, "a click on a person shows only that person")
    ]
}

// MARK: - Values

extension EffectOption {
    var option: Option<Compositing> {
        Option(name, value, summary) { (compositing: inout Compositing, text: String) throws(ToolError) in
            let value = try checked(text)
            try compositing.set(
                .init(element: element, property: property, value: value, isText: isText))
        }
    }

    private var value: OptionValue {
        switch kind {
        case .flag: .none
        case .number(let word), .text(let word): .text(word)
        case .word(let words): .word(words)
        case .color: .text("RRGGBB")
        case .people: .text("N,...")
        case .place: .text("X,Y")
        case .file: .file("F")
        }
    }

    /// Whether the property is a text, which GStreamer takes literally.
    private var isText: Bool {
        switch kind {
        case .people, .place, .text, .file: true
        case .flag, .number, .word, .color: false
        }
    }

    /// Checks a value and returns the property's text.
    ///
    /// - Throws: for a value that the property does not accept.
    private func checked(_ text: String) throws(ToolError) -> String {
        switch kind {
        case .flag: return "true"
        case .number: return try checkedNumber(text)
        case .word(let words): return try checkedWord(text, of: words)
        case .color: return "\(try color(text, of: name))"
        case .people: return try checkedPeople(text)
        case .place: return try Place(text, of: name).description
        case .text, .file: return text
        }
    }

    private var propertyDescription: GStreamer.PropertyDescription {
        get throws(ToolError) {
            GStreamer.initialize()
            guard GStreamer.Registry.has(element: element.rawValue) else {
                throw .missing(element: element.rawValue)
            }
            guard let description = GStreamer.PropertyDescription(property, of: element.rawValue) else {
                let missing = "\(element.rawValue) has no property \(property)."
                throw ToolError(.missing, "\(missing) Install gst-people again.")
            }
            return description
        }
    }

    private func checkedNumber(_ text: String) throws(ToolError) -> String {
        let description = try propertyDescription
        guard let range = description.range else { throw notTaken(text) }
        let value = try number(text, in: range, of: name)
        guard description.accepts(text) else {
            throw .usage("--\(name) takes a whole number, not \(text)")
        }
        return value == value.rounded() ? value.text(decimals: 0) : text
    }

    private func checkedWord(_ text: String, of words: [String]) throws(ToolError) -> String {
        guard words.contains(text) else {
            throw .usage("--\(name) is \(words.joined(separator: ", ")), not \(text)")
        }
        guard try propertyDescription.accepts(text) else {
            throw notTaken(text)
        }
        return text
    }

    private func checkedPeople(_ text: String) throws(ToolError) -> String {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.allSatisfy({ $0 > 0 }) else {
            throw .usage("--\(name) takes ids of people such as 1,3, not \(text)")
        }
        return numbers.map { "\($0)" }.joined(separator: ",")
    }

    private func notTaken(_ text: String) -> ToolError {
        ToolError(
            .missing,
            "\(element.rawValue) does not take \(property)=\(text). Install gst-people again.")
    }
}
