import CGStreamer
import Foundation
import TestSupport
import Testing

/// The plugin file that users load.
struct PluginFileTests {
    @Test func exportsOnlyItsEntryPoints() throws {
        let symbols = try Subprocess.run("nm", ["-D", "--defined-only", Checkout.plugin.path])
        let names = symbols.output.split(separator: "\n").compactMap { $0.split(separator: " ").last }
        #expect(names.sorted() == ["gst_plugin_people_get_desc", "gst_plugin_people_register"])
    }

    /// The plugin, the tool, the names of packages, and the list of changes have one version.
    @Test func hasTheVersionOfTheProject() throws {
        func first(after text: String, in lines: String, upTo end: Character) throws -> Substring {
            try #require(lines.range(of: text).map { lines[$0.upperBound...].prefix { $0 != end } })
        }
        func text(_ file: String) throws -> String {
            try String(contentsOf: Checkout.root.appendingPathComponent(file), encoding: .utf8)
        }
        let version = try PluginDescription.read().version
        let printed = try Subprocess.run(Tool.path, ["--version"]).output
        #expect(printed.split(whereSeparator: \.isWhitespace).last.map(String.init) == version)
        #expect(try first(after: "  version: '", in: text("meson-shim/meson.build"), upTo: "'") == version)
        #expect(try first(after: "\n## ", in: text("docs/changes.md"), upTo: ",") == version)
    }

    /// No figure of the documents was changed by hand.
    @Test func documentsShowTheRecordedFigures() throws {
        let script = Checkout.root.appendingPathComponent("docs/update-figures").path
        let result = try Subprocess.run("/usr/bin/python3", [script, "--check"])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test func needsNeitherSwiftNorOpenVINO() throws {
        let libraries = try LinkedLibraries(of: Checkout.plugin.path)
        #expect(libraries.has("libgstvideo-1.0.so") && libraries.missing.isEmpty)
        for other in ["libswift", "libopenvino", "libFoundation", "lib_Foundation"] {
            #expect(!libraries.has(other), "\(libraries.names)")
        }
    }

    @Test func liesAloneInItsStagingFolder() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Checkout.plugins.path)
        #expect(names == ["libgstpeople.so"])
    }

    @Test func loadsWithoutOpenVINOAndModels() throws {
        let scratch = try Scratch()
        let nowhere = ["GST_PEOPLE_OPENVINO": scratch.url.path, "GST_PEOPLE_MODELS": scratch.url.path]
        let plugin = try PluginDescription.read(
            environment: Checkout.pluginAlone(scratch).merging(nowhere) { $1 })
        #expect(Set(plugin.elements.keys) == Set(ElementCase.all.map(\.name)))
        #expect(plugin.license == "Apache 2.0" && plugin.unloadable == [])
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
