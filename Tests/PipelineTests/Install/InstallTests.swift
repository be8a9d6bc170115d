import Foundation
import TestSupport
import Testing

/// `meson setup build meson-shim && meson install -C build`, and what works afterwards.
@Suite(.serialized) struct InstallTests {
    @Test func systemGetsEverythingWhereGStreamerLooks() throws {
        let stage = try Installation.shared.get().stage
        let asked = try Subprocess.run("pkg-config", ["--variable=pluginsdir", "gstreamer-1.0"])
        let plugins = asked.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(files(below: stage + plugins) == ["libgstpeople.so"])
        let data = URL(fileURLWithPath: stage + plugins + "/../gst-people").standardized.path
        #expect(files(below: data) == Self.prepared)
        #expect(Self.program.isSubset(of: files(below: stage + "/usr")))
        #expect(files(below: stage).count == Self.prepared.count + Self.program.count + 1)
    }

    @Test func prefixAndLibdirAreHonoured() throws {
        let installation = try Installation.shared.get()
        #expect(files(below: installation.plugins) == ["libgstpeople.so"])
        #expect(files(below: installation.data) == Self.prepared)
        #expect(Self.program.isSubset(of: files(below: installation.prefix)))
        #expect(files(below: installation.prefix).count == Self.prepared.count + Self.program.count + 1)
        #expect(
            FileManager.default.contentsEqual(
                atPath: installation.plugins + "/libgstpeople.so",
                andPath: installation.build + "/libgstpeople.so"))
    }

    @Test func takesThePluginThatIsBuilt() throws {
        let built = Checkout.setup.appendingPathComponent("plugins/libgstpeople.so").path
        let installed = try Installation.shared.get().build + "/libgstpeople.so"
        #expect(FileManager.default.contentsEqual(atPath: installed, andPath: built))
    }

    @Test func programNeedsNoSwift() throws {
        let program = try Installation.shared.get().prefix + "/bin/gst-people"
        #expect(try Subprocess.run(program, ["--version"]).status == 0)
        let libraries = try Subprocess.run("ldd", [program]).output
        #expect(libraries.contains("libc.so.6") && !libraries.contains("libswift"), "\(libraries)")
    }

    @Test func scannerFindsOnlyThePlugin() throws {
        let environment = try Installation.shared.get().environment
        let blacklist = try Subprocess.run("gst-inspect-1.0", ["-b"], environment: environment)
        #expect(blacklist.output.contains("Total count: 0 blacklisted files"))
        let plugin = try Subprocess.run("gst-inspect-1.0", ["people"], environment: environment)
        #expect(plugin.status == 0)
        #expect(plugin.output.contains(try Installation.shared.get().plugins + "/libgstpeople.so"))
    }

    /// With models and OpenVINO of the installation only: there is nothing of the checkout above the prefix,
    /// and the linker tells what it opens.
    @Test(arguments: ["fast", "balanced"])
    func worksFromAnotherFolder(_ quality: String) throws {
        let installation = try Installation.shared.get()
        let scratch = try Scratch()
        try FileManager.default.copyItem(atPath: Checkout.astronaut.path, toPath: scratch.path("picture.png"))
        let line =
            "filesrc location=picture.png ! pngdec ! videoconvert ! personsegment quality=\(quality) "
            + "! blendmask background=picture.png ! fakesink"
        let result = try Subprocess.launch(
            line, environment: installation.environment.merging(["LD_DEBUG": "files"]) { $1 },
            directory: scratch.url)
        #expect(result.status == 0, "\(result.output.suffix(2000))")
        let opened = result.output.split(separator: "\n").filter { $0.contains("calling init: ") }
        let ours = opened.filter { $0.contains("openvino") || $0.contains("libtbb") }
        #expect(ours.count >= 4)
        #expect(ours.allSatisfy { $0.contains(installation.data + "/openvino/") }, "\(ours)")
        #expect(
            !opened.contains { $0.contains(Checkout.root.path + "/") || $0.contains(Checkout.setup.path) })
    }

    @Test func uninstallLeavesNothing() throws {
        let installation = try Installation.shared.get()
        let scratch = try Scratch()
        let other = scratch.path("other")
        try Installation.run(
            "meson", ["install", "-C", installation.build, "--no-rebuild", "--destdir", other])
        #expect(files(below: other).count == Self.prepared.count + Self.program.count + 1)
        try Installation.run("ninja", ["-C", installation.build, "uninstall"])
        #expect(!FileManager.default.fileExists(atPath: other))
    }

    @Test func folderOfThePluginCanBeChosen() throws {
        let scratch = try Scratch()
        let result = try Installation.run(
            "meson", ["setup", scratch.path("build"), Installation.shim, "-Dplugindir=/chosen/plugins"])
        #expect(result.output.contains("GST_PLUGIN_PATH=/chosen/plugins"))
        #expect(result.output.contains("/chosen/gst-people"))
    }

    @Test func tellsToRunSetup() throws {
        let scratch = try Scratch()
        let result = try Subprocess.run(
            "meson", ["setup", scratch.path("build"), Installation.shim],
            environment: ["GST_PEOPLE_SETUP_DIR": scratch.path("nothing")])
        #expect(result.status == 1)
        #expect(result.output.contains("nothing/models is missing. Run "))
        #expect(result.output.contains("pipelines/setup"))
    }

    private static let program: Set = [
        "bin/gst-people", "share/man/man1/gst-people.1", "share/bash-completion/completions/gst-people.bash",
        "share/zsh/site-functions/_gst-people", "share/gst-people-farm/farm.py",
        "share/gst-people-farm/farm_storage.py", "share/gst-people-farm/requirements-farm.txt",
    ]

    /// Models and OpenVINO as the set-up prepared them, but for the seals of its own.
    private static let prepared = Set(
        ["models", "models-int8", "openvino"].flatMap { tree in
            files(below: Checkout.setup.appendingPathComponent(tree).path)
                // Where set-up keeps 8-bit models off, it says so in a file, which is not installed.
                .subtracting([".seal", "kept-off"]).map { tree + "/" + $0 }
        })
}
