import CommandKit
import FileNames
import Glibc

/// The checkout in which the tool was built; an installed tool has none.
enum Checkout {
    /// The folder that set-up has filled.
    static var setup: String? {
        let asked = getenv("GST_PEOPLE_SETUP_DIR").map { String(fileName: $0) } ?? ""
        return asked.isEmpty ? root.map { $0 + "/.gst-people" } : asked
    }

    /// The path of this program, whether it is in a checkout or not.
    static var program: String? { FileSystem.program }

    static var root: String? {
        guard let program else { return nil }
        var folder = program[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            if existing(folder + "/pipelines/setup") != nil { return String(folder) }
        }
        return nil
    }

    /// The folder `share` beside this program's folder, with the installed files.
    static var share: String? {
        program.map { "/" + $0.split(separator: "/").dropLast(2).joined(separator: "/") + "/share" }
    }

    /// Returns the path if it can be read, else nil.
    static func existing(_ path: String?) -> String? {
        path.flatMap { access($0.fileName, R_OK) == 0 ? $0 : nil }
    }
}

/// Backgrounds and a replacement for a camera: the files that set-up has made in a checkout, or the installed
/// ones.
enum SampleMedia {
    /// A clip that replaces a camera: the video that set-up fetches, which is in no package, else a moving
    /// portrait.
    static var clip: String? {
        Checkout.existing(Checkout.setup.map { $0 + "/media/demovideo.mp4" }) ?? portrait
    }

    /// A clip of a portrait that moves.
    static var portrait: String? { find("stand-in.webm") }

    /// The default background.
    static var forest: String? {
        Checkout.existing(Checkout.root.map { $0 + "/forest.jpg" }) ?? find("backgrounds/forest.jpg")
    }

    /// All pictures that are offered as backgrounds.
    static var backgrounds: [String] {
        guard let folder = find("backgrounds") else { return [] }
        return FileSystem.names(in: folder).sorted().map { "\(folder)/\($0)" }
    }

    private static func find(_ name: String) -> String? {
        let folders = [Checkout.setup.map { $0 + "/drawn" }, Checkout.share.map { $0 + "/gst-people" }]
        return folders.lazy.compactMap { Checkout.existing($0.map { "\($0)/\(name)" }) }.first
    }
}
