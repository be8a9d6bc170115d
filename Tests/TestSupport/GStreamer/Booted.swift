import CGStreamer
import Foundation

/// The checkout and what the set-up put into it.
public enum Checkout {
    /// The folder that holds Package.swift.
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// The private set-up directory.
    public static let setup = root.appendingPathComponent(".gst-people")
    /// The staging folder of the built plugin.
    public static let plugins = setup.appendingPathComponent("plugins")
}

/// Starts GStreamer once, with the staged plugin in its registry.
///
/// The tests work on the file that users load, not on the Swift module.
public enum GStreamer {
    private static let booted: Bool = {
        gst_init(nil, nil)
        gst_registry_scan_path(gst_registry_get(), Checkout.plugins.path)
        return gst_registry_find_plugin(gst_registry_get(), "people").map { gst_object_unref($0) } != nil
    }()

    /// True when the plugin is there; run `pipelines/build` if not.
    public static func boot() -> Bool { booted }
}
