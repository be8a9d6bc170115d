import CommandKit
import Glibc

/// The checkout in which the tool was built; an installed tool has none.
enum Checkout {
    /// The clip that set-up fetches.
    static var clip: String? { existing(setup.map { $0 + "/media/demovideo.mp4" }) }

    /// What set-up has filled.
    static var setup: String? {
        let asked = getenv("GST_PEOPLE_SETUP_DIR").map { String(cString: $0) } ?? ""
        return asked.isEmpty ? root.map { $0 + "/.gst-people" } : asked
    }

    /// The picture that set-up draws.
    static var forest: String? { existing(root.map { $0 + "/forest.jpg" }) }

    /// The path of this program, in a checkout or not.
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

    private static func existing(_ path: String?) -> String? {
        path.flatMap { access($0, R_OK) == 0 ? $0 : nil }
    }
}
