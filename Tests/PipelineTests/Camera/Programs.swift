import Foundation
import TestSupport

/// Runs a command of `gst-people`.
func tool(_ command: String, _ arguments: [String], environment: [String: String?] = [:]) throws -> Subprocess
{
    try Subprocess.run(Tool.path, [command] + arguments, environment: environment)
}

/// The output of a camera command: the modes of camera and output, and the number of frames at its end.
struct LiveReport {
    /// Format, size and rate: `YUY2 640x480 at 30`; nil if none was chosen.
    let camera, output: String?
    /// Number of frames; nil if the command did not play to an end.
    let frames: Int?

    init(_ text: String) {
        let mode = { (pattern: Regex<(Substring, Substring)>) in
            text.firstMatch(of: pattern).map { String($0.1) }
        }
        camera = mode(#/(?:^|\n)camera: (\w+ \d+x\d+ at [0-9.]+) /#)
        output = mode(#/(?:^|\n)output: (\w+ \d+x\d+ at [0-9.]+) /#)
        frames = mode(#/(?:^|\n)(\d+) frames, /#).flatMap { Int($0) }
    }

    init(_ result: Subprocess) { self.init(result.output) }
}

/// Runs Python code with the arguments in `sys.argv[1:]`.
func python(_ code: String, _ arguments: [String] = []) throws -> Subprocess {
    let start =
        "import sys, gi; gi.require_version('Gst', '1.0'); from gi.repository import Gst; Gst.init(None)\n"
    return try Subprocess.run(
        "/usr/bin/python3", ["-c", start + code] + arguments,
        environment: ["PYTHONDONTWRITEBYTECODE": "1"])
}

extension Checkout {
    /// Returns the path of a helper of the tests.
    static func script(_ name: String) -> String { root.appendingPathComponent("Tests/Scripts/\(name)").path }

    /// Returns the environment of a program that finds a copy of the plugin in `scratch`.
    ///
    /// Models and OpenVINO are searched for above the plugin, where there are none.
    static func pluginAlone(_ scratch: Scratch) throws -> [String: String?] {
        let folder = scratch.path("plugins")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: plugin.path, toPath: folder + "/" + plugin.lastPathComponent)
        return ["GST_PLUGIN_PATH": folder, "GST_REGISTRY": scratch.path("registry.bin")]
    }

    /// Returns the environment of a program in which one file of GStreamer's plugins is not installed.
    static func pluginsWithout(_ file: String, _ scratch: Scratch) throws -> [String: String?] {
        let plugins = scratch.path("plugins")
        try FileManager.default.createDirectory(atPath: plugins, withIntermediateDirectories: true)
        let installed = try Subprocess.run("pkg-config", ["--variable=pluginsdir", "gstreamer-1.0"]).output
        let folder = installed.trimmingCharacters(in: .whitespacesAndNewlines)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != file {
            try FileManager.default.createSymbolicLink(
                atPath: plugins + "/" + name, withDestinationPath: folder + "/" + name)
        }
        return ["GST_PLUGIN_SYSTEM_PATH_1_0": plugins, "GST_REGISTRY": scratch.path("registry.bin")]
    }
}

/// A PipeWire for one test.
enum PipeWire {
    /// Runs a program in a session in which only this PipeWire is available.
    static func run(
        _ scratch: Scratch, _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Subprocess {
        try Subprocess.run(
            "dbus-run-session",
            ["--", Checkout.script("pipewire-session"), scratch.url.path, program] + arguments,
            environment: environment)
    }
}

/// Elements that replace a camera of 320x180 pixels and 30 frames per second.
enum FakeCamera {
    static let raw = source("NV12")
    /// A camera of 640x360 pixels.
    static let large =
        "videotestsrc is-live=true ! capsfilter caps=video/x-raw,format=NV12,width=640,height=360,framerate=30/1"
    static let rgb = source("RGB")
    static let jpeg = source("I420") + " ! jpegenc ! image/jpeg,\(mode)"

    private static let mode = "width=320,height=180,framerate=30/1"

    private static func source(_ format: String) -> String {
        "videotestsrc is-live=true ! capsfilter caps=video/x-raw,format=\(format),\(mode)"
    }
}
