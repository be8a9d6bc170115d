import Foundation

/// Environment variables that separate tests from the user's registry, caches and plugins.
public enum IsolatedEnvironment {
    /// Differences from the environment in which the tests were started.
    static let changes: [String: String?] = [
        "GST_PLUGIN_PATH": Checkout.plugins.path,
        "GST_PLUGIN_PATH_1_0": nil,
        "GST_REGISTRY": directory.appendingPathComponent("registry.bin").path,
        "GST_REGISTRY_1_0": nil,
        "GST_DEBUG": nil,
        "GST_TRACERS": nil,
        "GST_PEOPLE_MODELS": nil,
        "GST_PEOPLE_OPENVINO": nil,
        "XDG_CACHE_HOME": directory.appendingPathComponent("cache").path,
        "XDG_DATA_HOME": directory.appendingPathComponent("data").path,
    ]

    /// The directory for the whole run, so that plugins are scanned and models compiled once.
    private static let directory: URL = {
        let name = "people-tests-\(ProcessInfo.processInfo.processIdentifier)"
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        atexit { IsolatedEnvironment.removeDirectory() }
        return directory
    }()

    private static func removeDirectory() { try? FileManager.default.removeItem(at: directory) }

    /// Returns the environment of a child process.
    static func variables(changing more: [String: String?]) -> [String: String] {
        var variables = ProcessInfo.processInfo.environment
        for (name, value) in changes.merging(more, uniquingKeysWith: { $1 }) { variables[name] = value }
        return variables
    }

    /// Changes the environment of this process; called before GStreamer starts.
    static func enter() {
        for (name, value) in changes {
            if let value { setenv(name, value, 1) } else { unsetenv(name) }
        }
    }
}
