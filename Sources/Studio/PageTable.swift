/// The page's order, groups and omissions; all other data are in the elements' classes.
enum PageTable {
    /// The groups in their order, with their first settings.
    ///
    /// All other settings are in a last group of their own.
    static let groups: [(name: String, properties: [SettingKey])] = [
        (
            "Background",
            ["background-color", "pose-angle", "background-fit", "blur", "exposure", "desaturate", "mirror"]
                .map(blend)
        ),
        (
            "Edges",
            [segment("feather"), segment("expand"), blend("decontaminate"), blend("light-wrap")]
                + ["min-area", "smoothing", "threshold"].map(segment)
        ),
        ("People", [.mirror, segment("max-instances"), .invert]),
        (
            "Shadow and outline",
            ["shadow-opacity", "shadow-x", "shadow-y", "shadow-radius", "halo-width", "halo-color"].map(blend)
        ),
        ("Overlays", ["faces", "bodies", "hands"].map { SettingKey("poseoverlay", $0) }),
    ]

    /// Properties that are not on the page.
    static let hidden: Set<String> = [
        // These decide whether frames without a mask show the room, and what other programs read from frames.
        "no-mask", "max-mask-age", "keep-mask", "hide-room",
        // Every output has its own control on the page.
        "show", "select-by-click",
        // For programs that read masks or alpha, and for recorded frames.
        "premultiply", "mask-format", "overflow", "revision", "lookahead", "realtime",
        // The right values depend on the machine on which the program runs.
        "model-path", "device", "precision", "threads", "inference-interval",
    ]

    /// Whether a word of a choice needs outputs with alpha.
    static func isHidden(_ word: String, of key: SettingKey) -> Bool {
        key == .backgroundSource && word == "transparent"
    }

    /// Text properties that the page may set, each with a check of its value.
    static let texts: [SettingKey: @Sendable (String) -> Bool] = [
        // The server has already looked up the file.
        .background: { !$0.isEmpty },
        blend("instances"): isListOfIds, blend("instances-except"): isListOfIds,
        blend("instances-at"): isPlace, blend("heads-at"): isPlace,
        blend("heads-of"): isListOfIds, blend("heads-except"): isListOfIds,
    ]

    /// The page's own defaults: the quality level of the other live commands, and no drawings.
    static let defaults: [SettingKey: String] = [
        .quality: "fast",
        SettingKey("poseoverlay", "faces"): "none", SettingKey("poseoverlay", "bodies"): "none",
        SettingKey("poseoverlay", "hands"): "none",
    ]

    /// Settings that have their own controls on the page.
    static let drawnSeparately = Set(texts.keys).union([
        .backgroundSource, .instances, .quality, blend("heads"),
    ])

    /// Returns the label of a property on the page.
    static func label(of key: SettingKey) -> String {
        if let label = labels[key] { return label }
        let words = key.property.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static let labels: [SettingKey: String] = [
        blend("background-color"): "Colour", blend("background-fit"): "Size of the picture",
        blend("pose-angle"): "Angles of the head",
        blend("mirror"): "Mirror the background", blend("exposure"): "Brightness",
        blend("desaturate"): "Less colour", .invert: "Hide the people instead",
        blend("light-wrap"): "Background light on edges", blend("decontaminate"): "Remove colour fringe",
        blend("shadow-opacity"): "Shadow", blend("shadow-x"): "Shadow to the right",
        blend("shadow-y"): "Shadow down", blend("shadow-radius"): "Shadow softness",
        blend("halo-width"): "Outline", blend("halo-color"): "Outline colour",
        segment("feather"): "Soften edges", segment("expand"): "Grow or shrink",
        segment("smoothing"): "Steady edges over time", segment("threshold"): "Firm edges from",
        segment("max-instances"): "People at most", segment("min-area"): "Remove small parts",
        .mirror: "Mirror the picture",
    ]

    private static func blend(_ property: String) -> SettingKey { SettingKey("blendmask", property) }
    private static func segment(_ property: String) -> SettingKey { SettingKey("personsegment", property) }

    @Sendable private static func isListOfIds(_ text: String) -> Bool {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        return parts.count <= 12
            && parts.allSatisfy { part in Int(part).map { (1...1_000_000).contains($0) } ?? false }
    }

    @Sendable private static func isPlace(_ text: String) -> Bool {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        return parts.count == 2 && parts.allSatisfy { $0.map { (0...1).contains($0) } ?? false }
    }
}
