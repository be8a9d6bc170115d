import CGStreamer

/// Starts GStreamer once, with the staged plugin in a registry of the tests' own.
///
/// The tests work on the file that users load, not on the Swift module.
public enum GStreamer {
    private static let booted: Bool = {
        IsolatedEnvironment.enter()
        gst_init(nil, nil)
        // Loading it, which elements do when they are made, makes its kinds of metadata known.
        guard let plugin = gst_plugin_load_by_name("people") else { return false }
        gst_object_unref(UnsafeMutableRawPointer(plugin))
        return true
    }()

    /// True when the plugin is there; run `pipelines/build` if not.
    @discardableResult
    public static func boot() -> Bool { booted }
}

/// Why a test could not even begin.
public struct SetupFailure: Error, CustomStringConvertible {
    /// What is missing.
    public let description: String

    /// Names what is missing.
    public init(_ description: String) { self.description = description }
}
