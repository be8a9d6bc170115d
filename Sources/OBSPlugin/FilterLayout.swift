import Properties

/// The order and the groups of the filter's properties in OBS; all other data are in the elements' tables.
enum FilterLayout {
    /// The groups in their order, as on the studio's page.
    static let groups: [(name: String, properties: [String])] = [
        (
            "Background",
            [
                "background-source", "background", "background-color", "background-fit", "mirror", "blur",
                "exposure", "desaturate",
            ]
        ),
        (
            "Edges",
            [
                "feather", "expand", "light-wrap", "decontaminate", "smoothing", "threshold", "min-area",
            ]
        ),
        ("People", ["instances", "instances-at", "instances-except", "max-instances", "invert"]),
        ("Level", ["quality", "show", "device", "threads", "precision", "model-path"]),
        (
            "Shadow and outline",
            ["shadow-opacity", "shadow-x", "shadow-y", "shadow-radius", "halo-width", "halo-color"]
        ),
    ]

    /// The properties of each group.
    // Unsafe: key paths are constant, and say so only in newer versions of Swift.
    nonisolated(unsafe) static let table: [(name: String, properties: [Property<FilterSettings>])] = {
        let all = FilterSettings.properties
        return groups.map { group in
            (group.name, group.properties.compactMap { name in all.first { $0.name == name } })
        }
    }()

    /// The properties in OBS, in their order.
    static var properties: some Sequence<Property<FilterSettings>> { table.lazy.flatMap(\.properties) }

    /// Words of choices that a filter in OBS cannot offer: nothing finds faces there, and frames of cameras do not
    /// wait for the finest masks.
    static let hiddenWords: [String: Set<String>] = ["background-source": ["pose"], "quality": ["accurate"]]

    /// Texts that are names of files.
    static let files: Set<String> = ["background"]

    /// Endings of the names of pictures and of clips: those of OBS's image and media sources.
    ///
    /// `blendmask` decodes two frames to tell them apart. libobs' reader of pictures shows the first only, and its
    /// player repeats a picture as if it were a clip.
    private static let pictures = ["jpg", "jpeg", "png", "webp", "bmp", "tga"]
    private static let clips = [
        "mp4", "m4v", "mov", "mkv", "webm", "gif", "avi", "ts", "mxf", "flv", "ogv", "mpg",
    ]

    /// The choice of files for OBS's dialog.
    static var fileFilter: String {
        func patterns(_ endings: [String]) -> String { endings.map { "*." + $0 }.joined(separator: " ") }
        return "Pictures and clips (\(patterns(pictures + clips)))"
    }

    /// Whether a file is a clip, by its name.
    static func isClip(_ path: String) -> Bool {
        let path = path.lowercased()
        return clips.contains { path.hasSuffix("." + $0) }
    }

    /// Returns a label: the name as words.
    static func label(of name: String) -> String {
        if let label = labels[name] { return label }
        let words = name.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static let labels: [String: String] = [
        "background-source": "Behind the people", "background": "Picture or clip",
        "background-color": "Colour", "background-fit": "Fit of the picture or clip",
        "mirror": "Mirror the picture or clip", "desaturate": "Less colour",
        "invert": "Hide the people instead", "shadow-x": "Shadow to the right", "shadow-y": "Shadow down",
        "shadow-radius": "Shadow softness", "halo-width": "Outline", "halo-color": "Outline colour",
        "quality": "Level", "expand": "Grow or shrink", "instances": "People by number",
        "instances-at": "Person at", "instances-except": "All but", "max-instances": "People at most",
        "min-area": "Remove small parts", "false": "Off", "true": "On",
    ]
}
