import Foundation
import TestSupport
import Testing

/// `meson setup build meson-shim && meson install -C build`, and the installed files.
@Suite(.serialized) struct InstallTests {
    @Test func installsEverythingWhereGStreamerLooks() throws {
        let stage = try Installation.shared.get().stage
        let asked = try Subprocess.run("pkg-config", ["--variable=pluginsdir", "gstreamer-1.0"])
        let plugins = asked.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(files(below: stage + plugins) == ["libgstpeople.so"])
        let data = URL(fileURLWithPath: stage + plugins + "/../gst-people").standardized.path
        #expect(files(below: data) == Self.prepared)
        #expect(Self.program.union(Self.hosts).isSubset(of: files(below: stage + "/usr")))
        #expect(files(below: stage + "/usr/share/gst-people") == Self.drawn)
        #expect(files(below: stage + "/usr/share/doc/gst-people") == Self.documents)
        #expect(files(below: stage).count == Self.count)
    }

    /// The clip that replaces a camera, and the backgrounds, come from the installation only.
    @Test func theInstalledToolStandsInForACamera() throws {
        let installation = try Installation.shared.get()
        let scratch = try Scratch()
        let result = try Subprocess.run(
            installation.prefix + "/bin/gst-people",
            ["webcam", "--stand-in", "--sink=fakesink num-buffers=3"],
            environment: installation.environment, directory: scratch.url)
        #expect(result.status == 0 && (LiveReport(result).frames ?? 0) > 0, "\(result.output)")
    }

    @Test func prefixAndLibdirAreHonoured() throws {
        let installation = try Installation.shared.get()
        #expect(files(below: installation.plugins) == ["libgstpeople.so"])
        #expect(files(below: installation.data) == Self.prepared)
        #expect(Self.program.union(Self.hosts).isSubset(of: files(below: installation.prefix)))
        #expect(files(below: installation.prefix).count == Self.count)
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
        let libraries = try LinkedLibraries(of: program)
        #expect(libraries.has("libc.so") && !libraries.has("libswift"), "\(libraries.names)")
    }

    /// Programs in C find the header, and those in Python the module, by pkg-config.
    @Test func pkgConfigFindsHeaderAndModule() throws {
        let installation = try Installation.shared.get()
        let scratch = try Scratch()
        let environment = installation.environment.merging(
            ["PKG_CONFIG_PATH": installation.prefix + "/share/pkgconfig", "PYTHONPATH": ""]) { $1 }
        let source = Checkout.root.appendingPathComponent("pipelines/examples/people.c").path
        let line =
            "cc -Wall -Wextra -Werror \(source) -o people $(pkg-config --cflags --libs gst-people gstreamer-app-1.0)"
        let compiled = try Subprocess.run(
            "sh", ["-c", line], environment: environment, directory: scratch.url)
        #expect(compiled.status == 0, "\(compiled.output)")
        try checkPeople(in: scratch.path("people"), environment: installation.environment)
        let module =
            "export PYTHONPATH=$(pkg-config --variable=pythondir gst-people) "
            + "&& /usr/bin/python3 -c 'import gst_people; print(gst_people.__file__)'"
        let imported = try Subprocess.run(
            "sh", ["-c", module], environment: environment, directory: scratch.url)
        #expect(
            imported.output == installation.prefix + "/lib/python3/dist-packages/gst_people.py\n",
            "\(imported.output)")
    }

    @Test func scannerFindsOnlyThePlugin() throws {
        let installation = try Installation.shared.get()
        let plugin = try PluginDescription.read(environment: installation.environment)
        #expect(plugin.unloadable == [])
        #expect(plugin.file == installation.plugins + "/libgstpeople.so")
    }

    /// Models and OpenVINO come from the installation only: nothing of the checkout is above the prefix, and
    /// the linker prints the files that it opens.
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
        let opened = result.output.matches(of: #/calling init: (\S+)/#).map {
            URL(fileURLWithPath: String($0.1))
        }
        let ours = opened.filter { file in
            ["libopenvino", "libtbb"].contains { file.lastPathComponent.hasPrefix($0) }
        }
        #expect(ours.count >= 4)
        let folder = installation.data + "/openvino"
        #expect(ours.allSatisfy { $0.deletingLastPathComponent().path == folder }, "\(ours)")
        let checkout = [Checkout.root.path + "/", Checkout.setup.path + "/"]
        #expect(!opened.contains { file in checkout.contains { file.path.hasPrefix($0) } }, "\(opened)")
    }

    @Test func uninstallLeavesNothing() throws {
        let installation = try Installation.shared.get()
        let scratch = try Scratch()
        let other = scratch.path("other")
        try Installation.run(
            "meson", ["install", "-C", installation.build, "--no-rebuild", "--destdir", other])
        #expect(files(below: other).count == Self.count)
        try Installation.run("ninja", ["-C", installation.build, "uninstall"])
        #expect(!FileManager.default.fileExists(atPath: other))
    }

    @Test func folderOfThePluginCanBeChosen() throws {
        let scratch = try Scratch()
        let build = scratch.path("build")
        try Installation.run("meson", ["setup", build, Installation.shim, "-Dplugindir=/chosen/plugins"])
        let plan = try Installation.run("meson", ["introspect", "--installed", build]).output
        let places = try JSONDecoder().decode([String: String].self, from: Data(plan.utf8)).values
        #expect(Set(places).isSuperset(of: ["/chosen/plugins/libgstpeople.so", "/chosen/gst-people/models"]))
    }

    @Test func endsWithoutASetUp() throws {
        let scratch = try Scratch()
        let result = try Subprocess.run(
            "meson", ["setup", scratch.path("build"), Installation.shim],
            environment: ["GST_PEOPLE_SETUP_DIR": scratch.path("nothing")])
        #expect(result.status == 1, "\(result.output)")
    }

    private static let drawn = files(below: Checkout.setup.appendingPathComponent("drawn").path)
        .subtracting([".seal"])

    private static let documents: Set = {
        let listed = { (folder: String) in
            files(below: Checkout.root.appendingPathComponent(folder).path).filter {
                !$0.contains("__pycache__")
            }
        }
        // These pages and programs are about a checkout.
        let developers = [
            "benchmarks.md", "design.md", "experiments/", "install.md", "quality.md", "release.md", "update-",
        ]
        let documents = listed("docs").filter { name in !developers.contains { name.hasPrefix($0) } }
            .map { "docs/" + $0 }
        let examples = listed("pipelines/examples").map { "examples/" + $0 }
        return Set(documents + examples + ["README.md", "THIRD-PARTY.md"])
    }()

    /// Number of all files, including the plugin and, where libobs's headers are installed, the module for OBS.
    private static let count =
        prepared.count + program.count + drawn.count + documents.count + hosts.count + (hasOBS ? 2 : 1)
    private static let hasOBS = ProcessInfo.processInfo.environment["GST_PEOPLE_WITH_OBS"] == "1"

    private static let program: Set = [
        "bin/gst-people", "share/man/man1/gst-people.1", "share/bash-completion/completions/gst-people.bash",
        "share/zsh/site-functions/_gst-people", "share/gst-people-farm/farm.py",
        "share/gst-people-farm/farm_storage.py", "share/gst-people-farm/requirements-farm.txt",
        "lib/python3/dist-packages/gst_people.py", "share/applications/org.gst_people.studio.desktop",
        "share/metainfo/org.gst_people.studio.metainfo.xml",
        "share/icons/hicolor/scalable/apps/org.gst_people.studio.svg", "include/gst-people.h",
        "share/pkgconfig/gst-people.pc", "lib/systemd/user/gst-people-camera.service",
        "lib/systemd/user/gst-people-camera@.service",
    ]

    /// Effects and presets for programs that are not ours.
    private static let hosts: Set<String> = {
        let folder = Checkout.root.appendingPathComponent("pipelines/packaging/hosts")
        let effects = files(below: folder.appendingPathComponent("effects").path)
            .map { "share/gnome-video-effects/" + $0.dropLast(".in".count) }
        let presets = files(below: folder.appendingPathComponent("presets").path)
            .map { "share/gstreamer-1.0/presets/" + $0 }
        return Set(effects + presets)
    }()

    /// Models and OpenVINO of the set-up, without its seals.
    private static let prepared = Set(
        ["models", "models-int8", "openvino"].flatMap { tree in
            files(below: Checkout.setup.appendingPathComponent(tree).path)
                // If set-up disables 8-bit models, it writes a file about that, which is not installed.
                .subtracting([".seal", "kept-off"]).map { tree + "/" + $0 }
        })
}
