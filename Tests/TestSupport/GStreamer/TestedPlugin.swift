import GStreamerKit

/// Starts GStreamer once, with the staged plugin in a separate registry for the tests.
///
/// The tests use the file that users load, not the Swift module.
public enum TestedPlugin {
    private static let isLoaded: Bool = {
        IsolatedEnvironment.enter()
        GStreamer.initialize()
        // Loading the plugin registers its kinds of metadata; elements load it when they are made.
        return GStreamer.Registry.load(plugin: "people")
    }()

    /// Whether the plugin is staged; run `pipelines/build` if not.
    @discardableResult
    public static func load() -> Bool { isLoaded }
}

/// The reason why a test could not begin.
public struct SetupFailure: Error, CustomStringConvertible {
    /// The thing that is missing.
    public let description: String

    /// Makes a failure that names the missing thing.
    public init(_ description: String) { self.description = description }
}
