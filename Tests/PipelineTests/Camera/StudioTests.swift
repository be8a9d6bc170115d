import Foundation
import TestSupport
import Testing

/// `gst-people studio`: its answers, and its page in a browser.
struct StudioTests {
    @Test(arguments: try PythonTest.all(of: scripts, except: ["InPipeWire"]))
    func passesThePythonTest(_ test: PythonTest) throws {
        let run = try test.suite.run(environment: Self.names)
        let failures = try #require(run.failures[test.name], "\(test.name) did not run: \(run.output)")
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    /// The set-up and the clean-up of each class succeed, too.
    @Test(arguments: Set(try PythonTest.all(of: scripts, except: ["InPipeWire"]).map(\.suite)))
    func passesThePythonClass(_ suite: PythonSuite) throws {
        let run = try suite.run(environment: Self.names)
        #expect(run.succeeded, "\(run.output)")
    }

    private static let scripts =
        ["check_studio.py", "check_studio_room.py", "check_studio_load.py"] + scriptsInChromium
    /// Left out by `Tests/run --without-desktop`.
    private static let scriptsInChromium =
        ProcessInfo.processInfo.environment["GST_PEOPLE_TESTS_WITHOUT_DESKTOP"] == nil
        ? [
            "check_studio_page.py", "check_studio_camera.py", "check_studio_photos.py",
            "check_studio_words.py", "check_studio_framing.py",
        ] : []
    private static let names = [
        "STUDIO_TOOL": Tool.path, "STUDIO_PORTRAIT": Checkout.astronaut.path,
        "STUDIO_CLIP": Checkout.clip.path,
    ]

    @Test func providesACamera() throws {
        let variables = (Self.names.merging(["STUDIO_PIPEWIRE": "yes"]) { $1 }).map { "\($0)=\($1)" }
        let script = ["/usr/bin/python3", "-B", Checkout.script("check_studio.py"), "InPipeWire"]
        let result = try PipeWire.run(Scratch(), "env", variables + script)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(arguments: [
        ["a.mp4", "b.mp4"], ["--port=70000"], ["--sink=fakesink"], ["--preset=../a"], ["--color=red"],
        [Checkout.astronaut.path, "b.mp4"],
    ])
    func refusesWrongUsage(_ arguments: [String]) throws {
        let result = try tool("studio", arguments)
        #expect(result.status == 2, "\(result.output)")
    }

    @Test func endsWithoutTheVideo() throws {
        let result = try tool("studio", ["/nowhere.mp4"])
        #expect(result.status == 3, "\(result.output)")
    }
}
