import PeopleSettings
import Properties

/// The filter's properties in OBS: the rows of the table of properties that it offers.
enum FilterLayout {
    /// The properties of each group.
    // Unsafe: key paths are constant, and say so only in newer versions of Swift.
    nonisolated(unsafe) static let groups: [(name: String, properties: [Property<FilterSettings>])] = {
        let offered = FilterSettings.properties.filter { $0.facts.isOffered(by: .obs) }
        return PropertyGroup.allCases.map { group in
            let own = offered.filter { $0.facts.control?.group == group }
            return (group.rawValue, own.sorted { $0.facts.place < $1.facts.place })
        }.filter { !$0.1.isEmpty }
    }()

    /// The properties in OBS, in their order.
    static var properties: some Sequence<Property<FilterSettings>> { groups.lazy.flatMap(\.properties) }

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
}
