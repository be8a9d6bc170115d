import GStreamerKit

/// Starts GStreamer once, with the staged plugin in a registry of the tests' own.
///
/// The tests work on the file that users load, not on the Swift module.
public enum TestedPlugin {
    private static let isLoaded: Bool = {
        IsolatedEnvironment.enter()
        GStreamer.initialize()
        // Loading it, which elements do when they are made, makes its kinds of metadata known.
        return GStreamer.Registry.load(plugin: "people")
    }()

    /// True when the plugin is there; run `pipelines/build` if not.
    @discardableResult
    public static func load() -> Bool { isLoaded }
}

/// Why a test could not even begin.
public struct SetupFailure: Error, CustomStringConvertible {
    /// What is missing.
    public let description: String

    /// Names what is missing.
    public init(_ description: String) { self.description = description }
}
