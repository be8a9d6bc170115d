import CommandKit
import Framing
import Studio

/// The options that crop videos to the people in them.
struct FramingOptions: Equatable {
    /// The part of the people that is shown; nil to show all of the picture that the shape allows.
    var framing: FramingChoice?
    /// The shape of the output; nil for that of the input.
    var shape: AspectRatio?
    /// The layout for two people who do not fit into one part.
    var layout = FramingLayout.single
    /// The file that the path of the picture is written to.
    var savedPlan: String?
    /// The file that the path of the picture is read from.
    var givenPlan: String?

    /// The file that a picture of the plan is written to.
    var sheet: String?

    /// Whether the output shows another part than the input.
    var isActive: Bool { framing != nil || shape != nil || givenPlan != nil }

    /// The option of all commands with a picture.
    static var framing: Option<FramingOptions> {
        .choice("framing", "crop to the people and follow them: what of them is shown", \.framing)
    }

    /// The options of videos.
    static var options: [Option<FramingOptions>] {
        [
            framing,
            Option(
                "reframe", .text("W:H"), "make the picture of this shape, such as 9:16, with the people in it"
            ) {
                (options: inout FramingOptions, text: String) throws(ToolError) in
                options.shape = try AspectRatio(text, of: "reframe")
            },
            .choice(
                "layout",
                "with --reframe, what is shown of two people who are too far apart for one part: the one who speaks, or both",
                \.layout),
            Option("save-plan", .file("JSON"), "write the part that is shown of each frame into this file") {
                (options: inout FramingOptions, text: String) throws(ToolError) in options.savedPlan = text
            },
            Option(
                "sheet", .file("PNG"),
                "write a picture of the plan: some frames of each scene, with the part that is shown"
            ) {
                (options: inout FramingOptions, text: String) throws(ToolError) in options.sheet = text
            },
            Option("from-plan", .file("JSON"), "show the parts in this file, as --save-plan writes them") {
                (options: inout FramingOptions, text: String) throws(ToolError) in options.givenPlan = text
            },
        ]
    }

    /// The element that finds the people, as a pipeline description: a face tells where people look, a body where they end.
    ///
    /// - Parameter showsMouths: whether faces have landmarks.
    static func finder(_ framing: FramingChoice?, showsMouths: Bool = false) -> String {
        framing == .body
            ? "bodypose max-people=8" : "facepose max-faces=8\(showsMouths ? " landmarks=true" : "")"
    }

    /// The elements that follow people in a live stream, as a part of a pipeline description that ends with `!`.
    ///
    /// - Parameters:
    ///   - framing: the part of the people that an option asks for; nil leaves it to the preset.
    ///   - hasFinder: whether faces and bodies are found already.
    static func live(_ framing: FramingChoice?, _ preset: StudioSettings, hasFinder: Bool) -> String {
        var settings = preset
        if let framing { settings.follow(framing) }
        return settings.follows
            ? (settings.framingElements(hasFinder: hasFinder) + [""]).joined(separator: " ! ") : ""
    }
}

/// A layout for two people who do not fit into one part of a frame.
enum FramingLayout: String, CaseIterable {
    /// One part, with the one who speaks; with the larger one where that is not known.
    case single
    /// A part with each of them: above each other in upright outputs, else beside each other.
    case split
}

extension StudioSettings {
    /// Follows the people.
    mutating func follow(_ framing: FramingChoice) {
        self[.follow] = "true"
        self[.framing] = framing.rawValue
    }

    /// The part of the people that is shown.
    private var framing: FramingChoice? { self[.framing].flatMap { FramingChoice(rawValue: $0) } }

    /// The elements that follow the people, as pipeline descriptions.
    ///
    /// - Parameter hasFinder: whether faces and bodies are found already.
    func framingElements(hasFinder: Bool) -> [String] {
        let properties = entries.filter { $0.key.element == "autoframe" && !$0.text.isEmpty }
        let words = properties.map { " \($0.key.property)=\(descriptionText($0.text))" }
        return (hasFinder ? [] : [FramingOptions.finder(framing)])
            + ["autoframe name=autoframe" + words.joined()]
    }
}
