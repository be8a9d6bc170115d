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

    /// Words of choices that a filter in OBS cannot offer: nothing finds faces there, frames of cameras do not
    /// wait for the finest masks, and a clip is a source of its own behind this one.
    static let hiddenWords: [String: Set<String>] = [
        "background-source": ["pose", "clip"], "quality": ["accurate"],
    ]

    /// Texts that are names of files.
    static let files: Set<String> = ["background"]

    /// Returns a label: the name as words.
    static func label(of name: String) -> String {
        if let label = labels[name] { return label }
        let words = name.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static let labels: [String: String] = [
        "background-source": "Behind the people", "background": "Picture", "background-color": "Colour",
        "background-fit": "Fit of the picture", "mirror": "Mirror the picture", "desaturate": "Less colour",
        "invert": "Hide the people instead", "shadow-x": "Shadow to the right", "shadow-y": "Shadow down",
        "shadow-radius": "Shadow softness", "halo-width": "Outline", "halo-color": "Outline colour",
        "quality": "Level", "expand": "Grow or shrink", "instances": "People by number",
        "instances-at": "Person at", "instances-except": "All but", "max-instances": "People at most",
        "min-area": "Remove small parts", "false": "Off", "true": "On",
    ]
}
