import CGStreamer
import Foundation
import TestSupport
import Testing

/// The examples, embedded in C and Python, work as they say.
///
/// `Tests/check-snippets` tests the documents' programs.
struct ExampleTests {
    @Test func embedsInC() throws {
        let scratch = try Scratch()
        let program = try compiled("embed", in: scratch)
        try check { try Subprocess.run(program, $0) }
    }

    @Test func readsInstancesInC() throws {
        let scratch = try Scratch()
        let program = try compiled("instances", in: scratch)
        let result = try Subprocess.run(program, [Checkout.clip.path, "3"])
        #expect(result.status == 0, "\(result.output)")
        let lines = result.output.split(separator: "\n").map { $0.split(separator: " ") }
        // A time, and an id and a fraction for each of three people.
        #expect(lines.count == 3 && lines.allSatisfy { $0.count == 7 }, "\(result.output)")
        let shares = lines.map { line in [2, 4, 6].reduce(0) { $0 + (Double(line[$1]) ?? .nan) } }
        #expect(shares.allSatisfy { $0 > 0.3 && $0 < 0.8 }, "\(result.output)")
        #expect(try Subprocess.run(program, ["/nonexistent.mp4"]).status == 1)
    }

    @Test func readsPeopleInCWithTheHeader() throws {
        let scratch = try Scratch()
        try checkPeople(in: try compiled("people", ["-I", Self.headers], in: scratch))
    }

    /// The header reads all results as Python does, in C and as C++.
    @Test func theHeaderReadsAllResults() throws {
        let result = try script("check_header.py", [Checkout.clip.path, Self.headers])
        #expect(result.status == 0 && result.output == "the same\n", "\(result.output)")
    }

    private static let headers = Checkout.root.appendingPathComponent("pipelines/include").path

    /// One line makes a checkout's module available to Python.
    @Test func theModuleOfACheckoutIsImported() throws {
        let line =
            #"eval "$(pipelines/env)" && cd / && /usr/bin/python3 -c 'import gst_people; gst_people.faces'"#
        let result = try Subprocess.run(
            "bash", ["-c", line], environment: ["PYTHONPATH": ""], directory: Checkout.root)
        #expect(result.status == 0, "\(result.output)")
    }

    /// Files that begin with the name of an interpreter are executable, and no others.
    @Test func programsCanBeRun() throws {
        let folder = Checkout.root.appendingPathComponent("pipelines/examples")
        for name in files(below: folder.path) where !name.contains("__pycache__") {
            let path = folder.appendingPathComponent(name).path
            let isProgram = try String(contentsOfFile: path, encoding: .utf8).hasPrefix("#!")
            #expect(FileManager.default.isExecutableFile(atPath: path) == isProgram, "\(name)")
        }
    }

    /// Compiles an example with GStreamer's flags and others.
    private func compiled(
        _ name: String, _ others: [String] = [], in scratch: Scratch
    ) throws -> String {
        let program = scratch.path(name)
        let flags = try Subprocess.run("pkg-config", ["--cflags", "--libs", "gstreamer-app-1.0"]).output
        let source = Checkout.root.appendingPathComponent("pipelines/examples/\(name).c").path
        let words = flags.split(whereSeparator: \.isWhitespace).map(String.init)
        let compiled = try Subprocess.run(
            "cc", ["-Wall", "-Wextra", "-Werror", source, "-o", program] + others + words)
        #expect(compiled.status == 0, "\(compiled.output)")
        return program
    }

    @Test func embedsInPython() throws {
        let path = Checkout.root.appendingPathComponent("pipelines/examples/embed.py").path
        try check { try Subprocess.run("/usr/bin/python3", [path] + $0) }
    }

    /// The Python module reads all results as PyGObject does.
    @Test func readsResultsInPython() throws {
        let result = try script("check_python_module.py", [Checkout.clip.path])
        #expect(result.status == 0 && result.output == "the same\n", "\(result.output)")
    }

    /// NumPy loads libgcc before GStreamer loads libunwind; both unwind C++ exceptions, which OpenVINO throws
    /// here.
    @Test(arguments: ["", "ctypes.CDLL('libgcc_s.so.1'); ", "ctypes.CDLL('libstdc++.so.6'); "])
    func openVINOErrorsReachPython(before: String) throws {
        let program = """
            import ctypes, gi; \(before)
            gi.require_version("Gst", "1.0")
            from gi.repository import Gst
            Gst.init(None)
            pipeline = Gst.parse_launch(
                "videotestsrc ! \(caps("I420", 64, 48)) ! personsegment quality=fast device=NOPE ! fakesink")
            pipeline.set_state(Gst.State.PLAYING)
            message = pipeline.get_bus().timed_pop_filtered(300 * Gst.SECOND, Gst.MessageType.ERROR)
            print(message.parse_error()[0].domain, message.parse_error()[0].code)
            pipeline.set_state(Gst.State.NULL)
            """
        let result = try Subprocess.run("/usr/bin/python3", ["-c", program])
        let settings = GST_RESOURCE_ERROR_SETTINGS.rawValue
        #expect(
            result.status == 0 && result.output == "gst-resource-error-quark \(settings)\n",
            "\(result.output)")
    }

    /// Runs an example on the packaged clip, in which people cover about half of the image.
    private func check(_ run: ([String]) throws -> Subprocess) throws {
        let result = try run([Checkout.clip.path, "6"])
        #expect(result.status == 0, "\(result.output)")
        let lines = result.output.split(separator: "\n").map {
            $0.split(separator: " ").compactMap { Double($0) }
        }
        #expect(
            lines.count == 6 && lines.allSatisfy { $0.count == 2 && $0[1] > 0.3 && $0[1] < 0.8 }, "\(lines)")
        let missing = try run(["/nonexistent.mp4", "6"])
        let error = missing.output.firstMatch(of: #/\(([a-z-]+), code (\d+)\)/#)
        #expect(missing.status == 1 && error?.1 == "gst-resource-error-quark", "\(missing.output)")
        #expect(error?.2 == "\(GST_RESOURCE_ERROR_NOT_FOUND.rawValue)", "\(missing.output)")
    }
}

/// Runs the example `people`, and checks its lines: three people in each of two frames, with heads and noses.
func checkPeople(in program: String, environment: [String: String?] = [:]) throws {
    let result = try Subprocess.run(program, [Checkout.clip.path, "2"], environment: environment)
    #expect(result.status == 0, "\(result.output)")
    let people = result.output.matches(
        of: #/: ([123]) at 0\.\d\d 0\.\d\d, yaw -?\d+, nose (0\.\d\d) 0\.\d\d/#)
    #expect(people.map { String($0.1) } == ["1", "2", "3", "1", "2", "3"], "\(result.output)")
    // Ids count from the left.
    let noses = people.prefix(3).compactMap { Double(String($0.2)) }
    #expect(noses == noses.sorted(), "\(result.output)")
    #expect(try Subprocess.run(program, ["/nonexistent.mp4"], environment: environment).status == 1)
}
