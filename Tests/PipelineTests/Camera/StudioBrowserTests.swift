import Foundation
import TestSupport
import Testing

/// `gst-people studio` opens its page in a browser, which a program replaces.
struct StudioBrowserTests {
    private let scratch: Scratch
    /// The name of the file that the browser got, and a copy of the file.
    private var name: String { scratch.path("name") }
    private var page: String { scratch.path("page") }

    init() throws {
        scratch = try Scratch()
        for folder in ["bin", "runtime"] {
            try FileManager.default.createDirectory(
                atPath: scratch.path(folder), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let browser =
            "#!/bin/sh\ncp \"$1\" '\(page)'\nstat -c '%a %n' \"$1\" >'\(name).new'\nmv '\(name).new' '\(name)'\n"
        try Data(browser.utf8).write(to: URL(fileURLWithPath: scratch.path("bin/xdg-open")))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: scratch.path("bin/xdg-open"))
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Runs the studio, at a terminal or without one, until it has printed its address.
    private func studio(
        _ options: [String] = [], atTerminal: Bool = true, display: String? = ":99"
    ) throws -> RunningProcess {
        let words = [Tool.path, "studio", "--stand-in"] + options
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let running = try RunningProcess(
            atTerminal ? "script" : "bash",
            (atTerminal ? ["-qec"] : ["-c"]) + ["exec " + line] + (atTerminal ? ["/dev/null"] : []),
            environment: [
                "PATH": scratch.path("bin") + ":" + path, "DISPLAY": display, "WAYLAND_DISPLAY": nil,
                "XDG_RUNTIME_DIR": scratch.path("runtime"), "HOME": scratch.path("home"),
            ])
        running.wait { running.output.contains("Control-C ends") }
        return running
    }

    /// The browser gets a file that only this user can read, because other users see the arguments of
    /// programs.
    @Test func opensTheBrowser() throws {
        let running = try studio()
        #expect(running.wait { exists(name) })
        let address = try #require(running.output.firstMatch(of: #/open (http:\S+)/#)).1
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("url=\(address)\""))
        let given = try String(contentsOfFile: name, encoding: .utf8).split(separator: "\n")[0].split(
            separator: " ")
        #expect(given[0] == "600" && given[1].hasPrefix(scratch.path("runtime")))
    }

    @Test(arguments: [(["--no-browser"], true, ":99"), ([], false, ":99"), ([], true, "")])
    func opensNoBrowserWhenDisabledOrUnattended(_ options: [String], _ atTerminal: Bool, _ display: String)
        throws
    {
        let running = try studio(options, atTerminal: atTerminal, display: display)
        #expect(running.output.contains("open http:"), "\(running.output)")
        running.interrupt()
        _ = running.finish()
        // The file would be made before the browser is started.
        #expect(!exists(name))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("runtime")) == [])
    }
}
