public import Foundation

/// The checkout, and the files of its set-up.
public enum Checkout {
    /// The folder with Package.swift.
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The private set-up directory; `GST_PEOPLE_SETUP_DIR` moves it, for the scripts too.
    public static let setup: URL = {
        let moved = ProcessInfo.processInfo.environment["GST_PEOPLE_SETUP_DIR"] ?? ""
        return moved.isEmpty ? root.appendingPathComponent(".gst-people") : URL(fileURLWithPath: moved)
    }()

    /// The staging folder of the built plugin.
    public static let plugins = setup.appendingPathComponent("plugins")
    /// The plugin that users load.
    public static let plugin = plugins.appendingPathComponent("libgstpeople.so")
    /// The prepared models.
    public static let models = setup.appendingPathComponent("models")
    /// The clip and the portrait.
    public static let media = setup.appendingPathComponent("media")
    /// The portrait of an astronaut, 512x512, one person.
    public static let astronaut = media.appendingPathComponent("astronaut.png")
    /// Three people before a wall, 1080x720, 25 frames per second, 433 frames.
    public static let clip = media.appendingPathComponent("demovideo.mp4")
}
