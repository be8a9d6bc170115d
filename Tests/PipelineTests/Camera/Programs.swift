import Foundation
import TestSupport

/// A command of `gst-people`.
func tool(_ command: String, _ arguments: [String], environment: [String: String?] = [:]) throws -> Subprocess
{
    try Subprocess.run(Tool.path, [command] + arguments, environment: environment)
}

/// Runs Python code; `sys.argv[1:]` are the arguments.
func python(_ code: String, _ arguments: [String] = []) throws -> Subprocess {
    let start =
        "import sys, gi; gi.require_version('Gst', '1.0'); from gi.repository import Gst; Gst.init(None)\n"
    return try Subprocess.run(
        "/usr/bin/python3", ["-c", start + code] + arguments,
        environment: ["PYTHONDONTWRITEBYTECODE": "1"])
}

/// Elements that stand in for a camera of 320x180 pixels and 30 frames per second.
enum FakeCamera {
    static let raw = source("NV12")
    static let rgb = source("RGB")
    static let jpeg = source("I420") + " ! jpegenc ! capsfilter caps=image/jpeg,\(mode)"

    private static let mode = "width=320,height=180,framerate=30/1"

    private static func source(_ format: String) -> String {
        "videotestsrc is-live=true ! capsfilter caps=video/x-raw,format=\(format),\(mode)"
    }
}
