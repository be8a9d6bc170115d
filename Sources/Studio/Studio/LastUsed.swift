import CommandKit
import PeopleSettings

/// The camera and the preset that were used last, in a file of the user's.
package struct LastUsed: Equatable {
    /// The camera, as `--camera` calls it; nil if none was ever chosen.
    package var camera: String?
    /// The name of the preset; nil if none was ever used.
    package var preset: String?

    private static let (group, camera, preset) = ("last", "camera", "preset")
    private static var path: String { FileSystem.userConfiguration + "/gst-people/last.ini" }

    /// Reads what was used last.
    package init() {
        for entry in KeyFile.read(Self.path) ?? [] where entry.element == Self.group && !entry.text.isEmpty {
            if entry.property == Self.camera { camera = entry.text }
            if entry.property == Self.preset { preset = entry.text }
        }
    }

    /// Remembers a camera and a preset; what is nil stays as it was.
    ///
    /// A folder that cannot be written, as that of a service, is no fault: nothing is remembered then.
    package static func note(camera: String? = nil, preset: String? = nil) {
        let before = LastUsed()
        var last = before
        if let camera { last.camera = camera }
        if let preset { last.preset = preset }
        guard last != before else { return }
        let entries = [(Self.camera, last.camera), (Self.preset, last.preset)].compactMap { name, text in
            text.map { PresetText.Entry(element: group, property: name, text: $0) }
        }
        do throws(ToolError) { try KeyFile.write(entries, to: path) } catch {}
    }
}
