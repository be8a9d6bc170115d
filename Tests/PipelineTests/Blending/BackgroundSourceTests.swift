import Foundation
import TestSupport
import Testing

/// The kinds of background, chosen by `background-source` or derived from other properties.
struct BackgroundSourceTests {
    let scratch: Scratch
    let blue: String

    init() throws {
        scratch = try Scratch()
        blue = scratch.path("blue.png")
        let picture = try Frame("video/x-raw,format=RGB,width=64,height=64")
        for index in 0..<3 { picture.fill(index) { _, _ in index == 2 ? 255 : 0 } }
        try Data(try picture.encoded(as: "image/png")).write(to: URL(fileURLWithPath: blue))
    }

    /// Returns R, G, B of a grey frame (99) whose mask has no people; `PICTURE` in the properties stands for
    /// the blue picture.
    private func shown(_ properties: String) throws -> [UInt8] {
        let frame = try Frame(caps("RGB", 64, 64))
        frame.fillBytes(with: 99)
        try HandMadeMask(width: 4, height: 4) { _, _ in 0 }.attach(to: frame)
        let line = "blendmask \(properties)".replacingOccurrences(of: "PICTURE", with: blue)
        let after = try Harness(line, caps: frame.caps).transform(frame)
        return (0..<3).map { after.samples($0)[40][40] }
    }

    @Test(
        arguments: [
            // Derived:
            ("", [0, 0, 0]), ("background-color=0xff00ff00", [0, 255, 0]),
            ("background=PICTURE", [0, 0, 255]),
            ("blur=30", [99, 99, 99]), ("blur=30 background=PICTURE", [0, 0, 255]),
            ("background-color=0xff00ff00 blur=30", [99, 99, 99]),
            ("background-color=0xff00ff00 halo-width=1", [0, 255, 0]),
            ("background-color=0xff00ff00 shadow-opacity=1", [0, 255, 0]),
            ("background=PICTURE shadow-opacity=1", [0, 0, 255]),
            // Chosen:
            ("background-source=original background=PICTURE", [99, 99, 99]),
            ("background-source=color background=PICTURE background-color=0xff00ff00", [0, 255, 0]),
            ("background-source=picture background=PICTURE blur=30", [0, 0, 255]),
            ("background-source=picture background-color=0xff00ff00", [0, 255, 0]),
            ("background-source=pose", [128, 128, 128]),
        ] as [(String, [UInt8])])
    func propertiesDecideTheBackground(_ properties: String, _ colour: [UInt8]) throws {
        #expect(try shown(properties) == colour)
    }

    @Test func doesNotReadAPictureThatIsNotShown() throws {
        #expect(try shown("background-source=color background=/nowhere.png") == [0, 0, 0])
    }

    @Test func changesWhilePlaying() throws {
        let frame = try Frame(caps("RGB", 64, 64))
        frame.fillBytes(with: 99)
        let harness = try Harness(
            "blendmask background=\(blue) background-color=0xff00ff00 no-mask=pass", caps: frame.caps)
        try HandMadeMask(width: 4, height: 4) { _, _ in 0 }.attach(to: frame)
        for (source, colour) in [
            ("auto", 0), ("original", 99), ("color", 0), ("picture", 0), ("pose", 128), ("original", 99),
        ] as [(String, UInt8)] {
            harness.set("background-source", source)
            #expect(try harness.transform(frame).samples(0)[40][40] == colour, "\(source)")
        }
    }

    @Test func coversWithTheColourWhereTheOriginalWouldShow() throws {
        let frame = try Frame(caps("RGB", 64, 64))
        frame.fillBytes(with: 99)
        for properties in ["blur=30", "exposure=-1", "background-source=original halo-width=1"] {
            let harness = try Harness("blendmask background-color=0xff00ff00 \(properties)", caps: frame.caps)
            let after = try harness.transform(frame)
            #expect((0..<3).map { after.samples($0)[9][9] } == [0, 255, 0])
        }
    }
}
