import CGStreamer
import Foundation
import TestSupport
import Testing

/// The file that users load.
struct PluginFileTests {
    @Test func exportsOnlyItsEntryPoints() throws {
        let symbols = try Subprocess.run("nm", ["-D", "--defined-only", Checkout.plugin.path])
        let names = symbols.output.split(separator: "\n").compactMap { $0.split(separator: " ").last }
        #expect(names.sorted() == ["gst_plugin_people_get_desc", "gst_plugin_people_register"])
    }

    /// The plugin, the tool, what packages are named after, and the list of changes have one version.
    @Test func hasTheVersionOfTheProject() throws {
        func first(after text: String, in lines: String, upTo end: Character) throws -> Substring {
            try #require(lines.range(of: text).map { lines[$0.upperBound...].prefix { $0 != end } })
        }
        func text(_ file: String) throws -> String {
            try String(contentsOf: Checkout.root.appendingPathComponent(file), encoding: .utf8)
        }
        let plugin = try Subprocess.run("gst-inspect-1.0", ["people"]).output
        let version = try first(after: "Version", in: plugin, upTo: "\n").trimmingCharacters(in: .whitespaces)
        #expect(try Subprocess.run(Tool.path, ["--version"]).output.contains(version))
        #expect(try first(after: "  version: '", in: text("meson-shim/meson.build"), upTo: "'") == version)
        #expect(try first(after: "\n## ", in: text("docs/changes.md"), upTo: ",") == version)
    }

    @Test func needsNeitherSwiftNorOpenVINO() throws {
        let libraries = try Subprocess.run("ldd", [Checkout.plugin.path]).output
        #expect(libraries.contains("libgstvideo-1.0.so"))
        #expect(!libraries.contains("libswift"))
        #expect(!libraries.contains("openvino"))
        #expect(!libraries.contains("Foundation"))
        #expect(!libraries.contains("not found"))
    }

    @Test func liesAloneInItsStagingFolder() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Checkout.plugins.path)
        #expect(names == ["libgstpeople.so"])
    }

    @Test func loadsWithoutOpenVINOAndModels() throws {
        let scratch = try Scratch()
        let plugins = scratch.path("plugins")
        try FileManager.default.createDirectory(atPath: plugins, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Checkout.plugin.path, toPath: plugins + "/libgstpeople.so")
        let alone: [String: String?] = [
            "GST_PLUGIN_PATH": plugins, "GST_REGISTRY": scratch.path("registry.bin"),
            "GST_PEOPLE_OPENVINO": scratch.url.path, "GST_PEOPLE_MODELS": scratch.url.path,
        ]
        let plugin = try Subprocess.run("gst-inspect-1.0", ["people"], environment: alone)
        #expect(plugin.status == 0)
        #expect(plugin.output.contains("personsegment: Person segmentation"))
        #expect(plugin.output.contains("blendmask: Background replacement"))
        #expect(plugin.output.contains("Apache 2.0"))
        let blacklist = try Subprocess.run("gst-inspect-1.0", ["-b"], environment: alone)
        #expect(blacklist.output.contains("Total count: 0 blacklisted files"))
    }

    @Test(arguments: ["personsegment", "blendmask"])
    func goesUpAndDownThroughAllStates(_ element: String) throws {
        let pipeline = try Pipeline(element)
        for state in [GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING] {
            #expect(pipeline.set(state: state) == GST_STATE_CHANGE_SUCCESS)
        }
        for state in [GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_NULL] {
            #expect(pipeline.set(state: state) == GST_STATE_CHANGE_SUCCESS)
        }
        #expect(pipeline.set(state: GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS)
    }
}
