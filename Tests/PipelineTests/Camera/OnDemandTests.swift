import Foundation
import TestSupport
import Testing

/// `gst-people virtual-camera --on-demand`, its control by D-Bus, and its service.
struct OnDemandTests {
    /// The camera is open while programs read it, also when they are killed, and shows nothing of the time
    /// before when it opens again.
    @Test(arguments: [[], ["--warm"]]) func opensWhileItIsRead(_ options: [String]) throws {
        let scratch = try Scratch()
        let result = try PipeWire.run(
            scratch, "/usr/bin/python3",
            [
                Checkout.script("on_demand_camera.py"), Tool.path, "virtual-camera", "--pipewire",
                "--on-demand", "--invert", "--color", "00b140",
            ] + options)
        #expect(result.status == 0 && result.output.contains("toggled"), "\(result.output)")
    }

    /// Chromium finds the camera by the portal, and opens and closes it.
    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["GST_PEOPLE_TESTS_WITHOUT_DESKTOP"] == nil,
            "Chromium is left out"))
    func opensWhileABrowserReadsIt() throws {
        let result = try PipeWire.run(
            Scratch(), "/usr/bin/python3",
            [
                Checkout.script("browser_camera.py"), Tool.path, "virtual-camera", "--pipewire",
                "--on-demand", "--invert", "--color", "00b140",
            ])
        #expect(result.status == 0 && result.output.contains("closed for good"), "\(result.output)")
    }

    /// The studio reads such a camera, changes its settings, and covers it; no other camera is opened.
    @Test func theStudioShowsIt() throws {
        let result = try PipeWire.run(
            Scratch(), "/usr/bin/python3", [Checkout.script("service_studio.py"), Tool.path],
            environment: ["STUDIO_TOOL": Tool.path, "STUDIO_PORTRAIT": Checkout.astronaut.path])
        #expect(result.status == 0 && result.output.contains("ended"), "\(result.output)")
    }

    /// Once a call of "cover" has returned, no frame shows the room; other calls change settings.
    ///
    /// Readers are found by openings of the device, or reported by a driver with either number of its event.
    @Test(arguments: [nil, "0x10e00001", "0x08000000"]) func isControlled(_ event: String?) throws {
        let scratch = try Scratch()
        var environment: [String: String?] = ["CONTROL_FOLDER": scratch.url.path]
        if let event {
            let library = scratch.path("fake.so")
            let built = try Subprocess.run(
                "cc", ["-shared", "-fPIC", "-o", library, Checkout.script("fake_loopback.c"), "-ldl"])
            try #require(built.status == 0, "\(built.output)")
            try "0".write(toFile: scratch.path("usage"), atomically: true, encoding: .utf8)
            environment["FAKE_LIBRARY"] = library
            environment["FAKE_USAGE"] = scratch.path("usage")
            environment["FAKE_EVENT"] = event
        }
        let result = try Subprocess.run(
            "dbus-run-session",
            ["--", "/usr/bin/python3", Checkout.script("control_camera.py"), Tool.path],
            environment: environment)
        #expect(result.status == 0 && result.output.contains("opened again"), "\(result.output)")
    }

    // MARK: - Service

    /// Runs the command with a home of its own, and with a `systemctl` that records its calls or fails.
    private func service(
        _ arguments: [String], in scratch: Scratch, status: Int
    ) throws -> (result: Subprocess, calls: String) {
        let program = scratch.path("systemctl")
        try "#!/bin/sh\necho \"$*\" >>\(scratch.path("calls"))\nexit \(status)\n".write(
            toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let result = try tool(
            "virtual-camera", arguments,
            environment: [
                "XDG_CONFIG_HOME": scratch.path("config"), "PATH": "\(scratch.url.path):\(path)",
            ])
        let calls = (try? String(contentsOfFile: scratch.path("calls"), encoding: .utf8)) ?? ""
        return (result, calls)
    }

    private func unit(_ name: String, in scratch: Scratch) throws -> String {
        try String(contentsOfFile: scratch.path("config/systemd/user/\(name).service"), encoding: .utf8)
    }

    @Test func installsAService() throws {
        let scratch = try Scratch()
        let odd = "50% \"odd\" $HOME \\.jpg"
        let installed = try service(["--install", "--warm", "--background", odd], in: scratch, status: 0)
        #expect(installed.result.status == 0, "\(installed.result.output)")
        #expect(
            installed.calls
                == "--user daemon-reload\n--user enable --now gst-people-camera.service\n")
        let command =
            #"virtual-camera" "--on-demand" "--background=50%% \"odd\" $$HOME \\.jpg" "--warm""#
        #expect(try unit("gst-people-camera", in: scratch).contains(command))
        #expect(try unit("gst-people-camera@", in: scratch).contains(command + " \"--preset=%I\""))
        let removed = try service(["--uninstall"], in: scratch, status: 0)
        #expect(removed.result.status == 0, "\(removed.result.output)")
        #expect(removed.calls.hasSuffix("disable --now gst-people-camera.service\n--user daemon-reload\n"))
        #expect(throws: (any Error).self) { try unit("gst-people-camera", in: scratch) }
        #expect(try service(["--uninstall"], in: scratch, status: 0).result.status == 3)
    }

    @Test func tellsTheCommandsWhereSystemdDoesNotAnswer() throws {
        let scratch = try Scratch()
        let installed = try service(["--install"], in: scratch, status: 1)
        #expect(installed.result.status == 0)
        let advice = "systemctl --user enable --now gst-people-camera.service"
        #expect(installed.result.output.contains(advice), "\(installed.result.output)")
    }

    /// The units of packages are those that the command writes, but for the program and the folder.
    @Test(arguments: ["gst-people-camera", "gst-people-camera@"]) func packagesTheSameUnit(_ name: String)
        throws
    {
        let scratch = try Scratch()
        _ = try service(["--install"], in: scratch, status: 0)
        let lines = try unit(name, in: scratch).split(separator: "\n", omittingEmptySubsequences: false)
        let plain = lines.filter { !$0.hasPrefix("WorkingDirectory=") }.map { line in
            line.replacing(#/^ExecStart="[^"]*"/#, with: "ExecStart=\"@program@\"")
        }
        let packaged = Checkout.root.appendingPathComponent("pipelines/packaging/systemd/\(name).service.in")
        let text = try String(contentsOf: packaged, encoding: .utf8)
        #expect(plain.joined(separator: "\n") == text)
    }

    static let systemd = "/usr/bin/systemd-analyze"

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: systemd), "systemd is not installed"))
    func systemdTakesTheUnits() throws {
        let scratch = try Scratch()
        _ = try service(["--install", "--blur", "60"], in: scratch, status: 0)
        let folder = scratch.path("config/systemd/user")
        let result = try Subprocess.run(
            Self.systemd,
            ["--user", "--man=no", "verify"]
                + ["gst-people-camera", "gst-people-camera@"].map { "\(folder)/\($0).service" },
            environment: ["XDG_RUNTIME_DIR": scratch.url.path, "HOME": scratch.url.path])
        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("gst-people-camera"), "\(result.output)")
    }
}
