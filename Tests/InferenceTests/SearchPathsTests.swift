import Foundation
import Inference
import Testing

@Suite struct SearchPathsTests {
    private func paths(
        _ variables: [String: String], module: String? = nil, executable: String? = nil
    ) -> SearchPaths {
        SearchPaths(variable: { variables[$0] }, module: module, executable: executable)
    }

    @Test func nothingIsFoundWithoutAnyLocation() {
        #expect(paths([:]).runtimeDirectories == [])
        #expect(paths([:]).modelDirectories == [])
        #expect(paths([:]).cacheDirectory == nil)
    }

    @Test func recognisesACheckout() throws {
        let root = try TemporaryDirectory()
        let plugins = try root.makeDirectory("checkout/.gst-people/plugins")
        let paths = paths([:], module: plugins + "/libgstpeople.so")
        #expect(!paths.isCheckout)
        try root.makeCheckout("checkout")
        #expect(paths.isCheckout)
    }

    @Test func directoriesOfTheUserComeFirst() throws {
        let root = try TemporaryDirectory()
        let plugins = try root.makeDirectory("checkout/build/gstreamer-1.0")
        try root.makeCheckout("checkout")
        let privateSetUp = try root.makeDirectory("checkout/.gst-people")
        for folder in ["openvino", "models"] { _ = try root.makeDirectory("checkout/.gst-people/" + folder) }
        let paths = paths(
            ["GST_PEOPLE_OPENVINO": "/asked/ov", "GST_PEOPLE_MODELS": "/asked/models", "HOME": "/home/me"],
            module: plugins + "/libgstpeople.so", executable: plugins + "/program")
        let installed = root.path + "/checkout/build/gst-people"
        #expect(
            paths.runtimeDirectories == ["/asked/ov", installed + "/openvino", privateSetUp + "/openvino"])
        #expect(
            paths.modelDirectories == [
                "/asked/models", "/home/me/.local/share/gst-people/models", installed + "/models",
                privateSetUp + "/models",
            ])
    }

    /// A folder `.gst-people` somewhere above is not enough.
    @Test func onlyACheckoutIsFound() throws {
        let root = try TemporaryDirectory()
        let program = try root.makeDirectory("some/folder/.build/release") + "/program"
        let models = try root.makeDirectory("some/folder/.gst-people/models")
        #expect(paths([:], executable: program).modelDirectories == [])
        try root.makeCheckout("some/folder")
        #expect(paths([:], executable: program).modelDirectories == [models])
        #expect(paths([:], module: program).modelDirectories.last == models)
        // The plugin's own checkout counts, not that of the program that loads it.
        let plugin = root.path + "/plugin/libgstpeople.so"
        #expect(!paths([:], module: plugin, executable: program).modelDirectories.contains(models))
    }

    /// A program elsewhere finds what is in the checkout that its library was compiled in, after its own.
    @Test func theCheckoutOfTheLibraryIsFound() throws {
        let root = try TemporaryDirectory()
        let program = try root.makeDirectory("program/.build/debug") + "/program"
        let source = try root.makeDirectory("library/Sources/Base/CCheckout") + "/checkout.c"
        let models = try root.makeDirectory("library/.gst-people/models")
        let found = {
            SearchPaths(variable: { _ in nil }, executable: program, source: source)
        }
        #expect(found().modelDirectories == [] && !found().isCheckout)
        try root.makeCheckout("library")
        #expect(found().modelDirectories == [models] && found().isCheckout)
        #expect(paths([:], executable: program).modelDirectories == [])
        let own = try root.makeDirectory("program/.gst-people/models")
        try root.makeCheckout("program")
        #expect(found().modelDirectories == [own, models])
        for attributes in try root.foreignAttributes(of: models) {
            try FileManager.default.setAttributes(attributes.changed, ofItemAtPath: models)
            #expect(found().modelDirectories == [own])
            try FileManager.default.setAttributes(attributes.before, ofItemAtPath: models)
        }
    }

    @Test(arguments: ["", "/.gst-people", "/.gst-people/models"])
    func aCheckoutThatOthersMayWriteIsNotUsed(_ folder: String) throws {
        let root = try TemporaryDirectory()
        let models = try root.makeDirectory("checkout/.gst-people/models")
        try root.makeCheckout("checkout")
        let found = { paths([:], executable: root.path + "/checkout/.build/program").modelDirectories }
        #expect(found() == [models])
        let path = root.path + "/checkout" + folder
        for attributes in try root.foreignAttributes(of: path) {
            try FileManager.default.setAttributes(attributes.changed, ofItemAtPath: path)
            #expect(found() == [], "\(attributes.changed)")
            try FileManager.default.setAttributes(attributes.before, ofItemAtPath: path)
        }
        #expect(found() == [models])
    }

    /// A plugin or program in a folder that everybody may write finds no files that others have put there.
    @Test func findsNothingInFoldersThatOthersMayWrite() throws {
        let root = try TemporaryDirectory()
        for folder in ["plugins", "gstreamer-1.0", "bin", "openvino", "models", "share/gst-people/models"] {
            _ = try root.makeDirectory(folder)
        }
        for folder in ["gst-people/openvino", "gst-people/models", "lib/gst-people/openvino"] {
            _ = try root.makeDirectory(folder)
        }
        let found = {
            [("plugins", true), ("gstreamer-1.0", true), ("bin", false)].map { folder, isPlugin in
                let file = root.path + "/" + folder + "/file"
                let paths = isPlugin ? paths([:], module: file) : paths([:], executable: file)
                return paths.runtimeDirectories.count + paths.modelDirectories.count
            }
        }
        #expect(found().allSatisfy { $0 >= 2 })
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: root.path)
        #expect(found() == [0, 0, 0])
    }

    @Test func findsASetUpOutsideTheCheckout() throws {
        let root = try TemporaryDirectory()
        let plugins = try root.makeDirectory("set-up/plugins")
        for folder in ["openvino", "models"] { _ = try root.makeDirectory("set-up/" + folder) }
        let paths = paths([:], module: plugins + "/libgstpeople.so")
        #expect(paths.modelDirectories.first == root.path + "/set-up/models")
        #expect(paths.runtimeDirectories.contains(root.path + "/set-up/openvino"))
        let other = try root.makeDirectory("set-up/other")
        #expect(
            !self.paths([:], module: other + "/libgstpeople.so").modelDirectories.contains(
                root.path + "/set-up/models"))
    }

    /// A package stores models in `share`, and libraries beside the plugin's folder, where its programs find
    /// both.
    @Test(arguments: [SearchPaths.debianLibraries, "lib64", "lib"])
    func findsAnInstallationBelowAPrefix(_ libraries: String) throws {
        let root = try TemporaryDirectory()
        let openVINO = try root.makeDirectory("usr/\(libraries)/gst-people/openvino")
        let models = try root.makeDirectory("usr/share/gst-people/models")
        let plugin = paths([:], module: root.path + "/usr/\(libraries)/gstreamer-1.0/libgstpeople.so")
        #expect(plugin.modelDirectories.last == models)
        #expect(plugin.runtimeDirectories == [openVINO])
        let programPath = root.path + "/usr/bin/program"
        for program in [paths([:], executable: programPath), paths([:], module: programPath)] {
            #expect(program.modelDirectories.last == models)
            #expect(program.runtimeDirectories.last == openVINO)
        }
        // The plugin's own path counts, not that of the program that loads it.
        let elsewhere = paths([:], module: root.path + "/plugins/libgstpeople.so", executable: programPath)
        #expect(!elsewhere.modelDirectories.contains(models))
    }

    @Test func searchesTheBaseDirectories() {
        let relative = ["HOME": "/home/me", "XDG_CACHE_HOME": "relative", "XDG_DATA_HOME": "relative"]
        #expect(paths(relative).cacheDirectory == "/home/me/.cache/gst-people/openvino")
        #expect(paths(relative).modelDirectories == ["/home/me/.local/share/gst-people/models"])
        let absolute = ["HOME": "/home/me", "XDG_CACHE_HOME": "/c", "XDG_DATA_HOME": "/d"]
        #expect(paths(absolute).cacheDirectory == "/c/gst-people/openvino")
        #expect(paths(absolute).modelDirectories == ["/d/gst-people/models"])
    }

    @Test(.enabled(if: Place.hasOpenVINO, "needs .gst-people/openvino: run pipelines/setup"))
    func findsTheCheckoutOfTheRunningProgram() {
        #expect(SearchPaths.current.runtimeDirectories.contains(Place.setUp + "/openvino"))
    }
}
