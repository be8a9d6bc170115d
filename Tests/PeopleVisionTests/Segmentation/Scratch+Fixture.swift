import Foundation
import TestSupport

extension Scratch {
    /// Creates a folder with a copy of a fixture model.
    static func copyingFixture(_ name: String) throws -> Scratch {
        let scratch = try Scratch()
        for ending in [".xml", ".bin", ".json"] {
            try FileManager.default.copyItem(
                atPath: Checkout.root.appendingPathComponent("Tests/Fixtures/" + name + ending).path,
                toPath: scratch.path(name + ending))
        }
        return scratch
    }

    /// Replaces `old`, which must be there, by `new` in a file of the folder.
    func edit(_ name: String, _ old: String, _ new: String) throws {
        let text = try String(contentsOfFile: path(name), encoding: .utf8)
        guard text.contains(old) else { throw SetupFailure("\(name) no longer contains \(old)") }
        try text.replacingOccurrences(of: old, with: new)
            .write(toFile: path(name), atomically: true, encoding: .utf8)
    }
}
