import PeopleSettings
import Testing

/// Presets, which GLib writes as key files.
struct PresetTextTests {
    @Test func readsWhatGLibWrites() throws {
        let text = """
            # A comment
            [blendmask]
            blur=35
            background=/a\\sb\\\\c;d=e.png
            blur = 36

            [camera]
            mirror=true
            """
        let entries = try #require(PresetText.entries(of: text))
        #expect(entries.map(\.element) == ["blendmask", "blendmask", "camera"])
        #expect(entries.map(\.property) == ["background", "blur", "mirror"])
        #expect(entries.map(\.text) == ["/a b\\c;d=e.png", "36", "true"])
    }

    @Test(arguments: [
        "blur=1", "[blendmask]\nblur", "[blendmask\nblur=1", "[]\nblur=1", "[a]\nb=\\x", "[a]\nb=c\\",
    ])
    func refusesOtherTexts(_ text: String) {
        #expect(PresetText.entries(of: text) == nil)
    }

    @Test func allowsWhatPresetsMaySet() {
        #expect(PresetText.allows("camera", "mirror") && PresetText.allows("blendmask", "blur"))
        for property in ["hide-room", "no-mask", "max-mask-age", "keep-mask", "show", "name", "qos"] {
            #expect(!PresetText.allows("blendmask", property), "\(property)")
        }
        #expect(!PresetText.allows("filesrc", "location") && !PresetText.allows("camera", "blur"))
    }
}
