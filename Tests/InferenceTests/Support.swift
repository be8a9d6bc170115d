import Foundation
import Inference

/// Paths of the tests' files.
enum Place {
    static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let fixtures = checkout.appending(path: "Tests/Fixtures").path
    static let setUp = checkout.appending(path: ".gst-people").path

    static var hasOpenVINO: Bool { exists(setUp + "/openvino") }
    static var hasModels: Bool { exists(setUp + "/models/selfie_segmentation_landscape.json") }

    /// Number of processors that this process may use, which can be fewer than the machine has.
    static let cores: Int = {
        let (nproc, output) = (Process(), Pipe())
        nproc.executableURL = URL(filePath: "/usr/bin/nproc")
        nproc.standardOutput = output
        guard (try? nproc.run()) != nil else { return 1 }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 1
    }()

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

/// A directory that is removed with this object.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "inference-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
    }

    /// Copies all files of a fixture.
    func copyFixture(_ name: String) throws {
        for ending in [".xml", ".bin", ".json"] {
            try FileManager.default.copyItem(
                atPath: Place.fixtures + "/" + name + ending, toPath: path + "/" + name + ending)
        }
    }

    /// Replaces `old` by `new` in the description of a copied fixture.
    func edit(_ name: String, _ old: String, _ new: String) throws {
        let text = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
        precondition(text.contains(old), "the fixture no longer contains what the test replaces")
        try write(text.replacingOccurrences(of: old, with: new), to: name)
    }

    func makeDirectory(_ name: String) throws -> String {
        let directory = path + "/" + name
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return directory
    }

    /// Makes a folder look like a checkout.
    func makeCheckout(_ name: String) throws {
        _ = try makeDirectory(name + "/pipelines")
        try write("#!/bin/sh", to: name + "/pipelines/setup")
    }

    /// Returns the attributes of a folder that others may write or, if this user may give it away, that
    /// belongs to another; and the folder's attributes before.
    func foreignAttributes(
        of path: String
    ) throws -> [(changed: [FileAttributeKey: Any], before: [FileAttributeKey: Any])] {
        let all = try FileManager.default.attributesOfItem(atPath: path)
        let before = all.filter { $0.key == .posixPermissions || $0.key == .ownerAccountID }
        var changes: [[FileAttributeKey: Any]] = [[.posixPermissions: 0o777], [.posixPermissions: 0o1777]]
        if geteuid() == 0 { changes.append([.ownerAccountID: 65534]) }
        return changes.map { ($0, before) }
    }

    var store: ModelStore { ModelStore(directories: [path]) }
}

extension Engine {
    /// Makes an engine with OpenVINO from the private set-up and no cache.
    static func forTests(cache: String? = nil) -> Engine {
        Engine(runtimeDirectories: [Place.setUp + "/openvino"], cacheDirectory: cache, searchesSystem: false)
    }
}

/// Returns a fixture model in the checkout.
func fixture(_ name: String) throws -> ModelInfo {
    try ModelStore(directories: [Place.fixtures]).model(named: name)
}
