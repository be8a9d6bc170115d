public import Foundation

/// A temporary directory that is removed with this object.
public final class Scratch {
    /// The directory.
    public let url: URL

    /// Makes a new, empty directory.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("people-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns a path inside the directory.
    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
