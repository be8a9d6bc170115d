import Foundation
import TestSupport

/// The plugin as programs in other languages read it, in its own process.
struct PluginDescription: Decodable {
    struct Element: Decodable {
        let rank: Int
        let `class`, author, icon, documentation: String
        let interfaces: [String]
        /// Properties that its GStreamer base classes do not have.
        let properties: [String: Property]
    }

    struct Property: Decodable {
        let blurb, type: String
        let isReadable, isWritable, isDeprecated, isControllable, changesWhilePlaying, saysWhenItChanges: Bool
    }

    let file, version, license, package, origin: String
    let elements: [String: Element]
    /// Files that GStreamer could not load.
    let unloadable: [String]

    /// Reads the description.
    ///
    /// - Parameter environment: changes of the tests' environment.
    static func read(environment: [String: String?] = [:]) throws -> PluginDescription {
        let result = try script("describe_plugin.py", [], environment: environment)
        guard result.status == 0 else { throw SetupFailure(result.output) }
        return try JSONDecoder().decode(PluginDescription.self, from: Data(result.output.utf8))
    }
}

/// The libraries that a file needs, from the output of `ldd`.
struct LinkedLibraries {
    /// Names of the libraries: `libc.so.6`.
    let names: [String]
    /// Names of libraries that are not on this machine.
    let missing: [String]

    init(of path: String) throws {
        let lines = try Subprocess.run("ldd", [path]).output.split(separator: "\n")
        let words = lines.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        names = words.compactMap(\.first)
        missing = words.filter { $0.suffix(2) == ["not", "found"] }.compactMap(\.first)
    }

    /// Whether the file needs a library, in any version.
    func has(_ library: String) -> Bool { names.contains { $0.hasPrefix(library) } }
}
