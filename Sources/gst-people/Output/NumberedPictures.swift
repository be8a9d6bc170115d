import CGStreamer
import CommandKit

/// Pictures of a folder that are called by a name and a number: `person-1.png`.
struct NumberedPictures {
    private let name: String
    private let folder: String
    private let overwrites: Bool

    init(_ name: String, in folder: String, overwrites: Bool) {
        (self.name, self.folder, self.overwrites) = (name, folder, overwrites)
    }

    /// Throws when such pictures are there and must not be written over, before work that takes long.
    func check() throws(ToolError) {
        guard !overwrites, let entries = g_dir_open(folder, 0, nil) else { return }
        defer { g_dir_close(entries) }
        while let entry = g_dir_read_name(entries) {
            let file = String(cString: entry)
            if file.hasPrefix(name + "-"), file.hasSuffix(".png") { throw .exists("\(folder)/\(file)") }
        }
    }

    /// The file of a number, in the folder, which is made unless it is there.
    func file(_ number: Int) throws(ToolError) -> OutputFile {
        try makeFolder(folder)
        return try OutputFile(path: "\(folder)/\(name)-\(number).png", overwrites: overwrites)
    }
}
