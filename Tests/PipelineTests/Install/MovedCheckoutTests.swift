import Foundation
import TestSupport
import Testing

/// Builds made in another folder: a checkout that was copied or moved is built anew.
///
/// The checkout has only the scripts, and the compiler is replaced by one that fails.
struct MovedCheckoutTests {
    private let scratch: Scratch
    private var first: String { scratch.path("first") }

    init() throws {
        scratch = try Scratch()
        for folder in ["bin", "first", "first/.build", "first/Sources"] {
            try FileManager.default.createDirectory(
                atPath: scratch.path(folder), withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(
            atPath: Checkout.root.appendingPathComponent("pipelines").path, toPath: first + "/pipelines")
        try write("bin/swift", "#!/bin/sh\necho no compiler today\nexit 1\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: scratch.path("bin/swift"))
        try write("first/.build/release.yaml", "commands:\n  \"\(first)/.build/release/Imaging.o\":\n")
        try write("first/.build/module-cache", "paths")
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
    }

    private func build(_ folder: String, _ script: String = "pipelines/build") throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try Subprocess.run(
            scratch.path(folder) + "/" + script, [], environment: ["PATH": scratch.path("bin") + ":" + path]
        ).output
    }

    private func isKept(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: scratch.path(folder) + "/.build/module-cache")
    }

    private func copy(_ folder: String) throws {
        let result = try Subprocess.run("cp", ["-a", first, scratch.path(folder)])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test func aBuildOfTheSameFolderIsKept() throws {
        for _ in 0..<2 {
            #expect(try build("first").contains("no compiler today"))
            #expect(isKept("first"))
        }
    }

    @Test(arguments: [false, true])
    func aCopyIsBuiltAnew(isNoted: Bool) throws {
        if isNoted { _ = try build("first") }
        try copy("second")
        let output = try build("second")
        #expect(output.contains(first) && output.contains("no compiler today"), "\(output)")
        #expect(!isKept("second") && isKept("first"))
        #expect(try !build("second").contains(first))
    }

    @Test func aMovedCheckoutIsBuiltAnew() throws {
        _ = try build("first")
        try FileManager.default.moveItem(atPath: first, toPath: scratch.path("second"))
        #expect(try build("second").contains(first))
        #expect(!isKept("second"))
    }

    /// A symbolic link leads to the same folder.
    @Test func aLinkIsNoOtherFolder() throws {
        _ = try build("first")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: first)
        _ = try build("link")
        #expect(isKept("first"))
    }
}
