/// What the page shows first, how it is grouped, and what it leaves out; all else is in the classes of the elements.
enum PageTable {
    /// Groups in their order, and what comes first in them.
    ///
    /// Other settings are in a group of their own behind these.
    static let groups: [(name: String, properties: [SettingKey])] = [
        (
            "Background",
            ["background-color", "background-fit", "blur", "exposure", "desaturate", "mirror"].map(blend)
        ),
        (
            "Edges",
            [segment("feather"), segment("expand"), blend("light-wrap"), blend("decontaminate")]
                + ["smoothing", "threshold", "min-area"].map(segment)
        ),
        ("People", [segment("max-instances"), .invert]),
        ("Level and mirror", [segment("quality"), .mirror]),
        (
            "Shadow and outline",
            ["shadow-opacity", "shadow-x", "shadow-y", "shadow-radius", "halo-width", "halo-color"].map(blend)
        ),
        ("Overlays", ["faces", "bodies", "hands"].map { SettingKey("poseoverlay", $0) }),
    ]

    /// Properties that are not for the page.
    static let hidden: Set<String> = [
        // Whether and when a frame without a mask shows the room, and what others read from frames.
        "no-mask", "max-mask-age", "keep-mask", "hide-room",
        // Every output has a place of its own on the page.
        "show", "select-by-click",
        // For programs that read masks or alpha.
        "premultiply", "mask-format", "overflow", "revision", "pose-angle",
        // What works is known where the program is started.
        "model-path", "device", "precision", "threads", "inference-interval",
    ]

    /// Words of choices that need other elements, or outputs with alpha.
    static func isHidden(_ word: String, of key: SettingKey) -> Bool {
        key == .backgroundSource && ["pose", "transparent"].contains(word)
    }

    /// Texts that the page may set, and what they have to be.
    static let texts: [SettingKey: @Sendable (String) -> Bool] = [
        // A file that the server has already looked up.
        .background: { !$0.isEmpty },
        blend("instances"): isListOfIds,
        blend("instances-except"): isListOfIds,
        blend("instances-at"): isPlace,
    ]

    /// Defaults of the page that are not the elements' own: the level of the other live commands, and nothing is drawn.
    static let initial: [SettingKey: String] = [
        .quality: "fast",
        SettingKey("poseoverlay", "faces"): "none", SettingKey("poseoverlay", "bodies"): "none",
        SettingKey("poseoverlay", "hands"): "none",
    ]

    /// What the page has controls of its own for.
    static let drawnApart: Set<SettingKey> = [
        .background, .backgroundSource, .instances, blend("instances"), blend("instances-at"),
        blend("instances-except"),
    ]

    /// A property's name as words.
    static func label(of key: SettingKey) -> String {
        if let label = labels[key] { return label }
        let words = key.property.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static let labels: [SettingKey: String] = [
        blend("background-color"): "Colour", blend("background-fit"): "Fit",
        blend("mirror"): "Mirror the background",
        blend("desaturate"): "Less colour", .invert: "Hide the people instead",
        blend("shadow-x"): "Shadow to the right", blend("shadow-y"): "Shadow down",
        blend("shadow-radius"): "Shadow softness", blend("halo-width"): "Outline",
        blend("halo-color"): "Outline colour",
        segment("quality"): "Level", segment("expand"): "Grow or shrink",
        segment("max-instances"): "People at most",
        segment("min-area"): "Remove small parts", .mirror: "Mirror",
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
