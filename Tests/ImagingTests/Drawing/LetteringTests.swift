import Imaging
import TestSupport
import Testing

/// Words in a frame.
struct LetteringTests {
    /// Returns a green frame with a sign.
    private func sign(
        _ format: PixelFormat, _ width: Int, _ height: Int, _ lines: (StaticString, StaticString)
    ) -> TestImage {
        let image = TestImage(format, width, height)
        image.fillRandomly(seed: 1)
        ShapeRasterizer(image.mutableView).writeSign(lines)
        return image
    }

    @Test(arguments: PixelFormat.allCases)
    func staysInsideTheFrame(_ format: PixelFormat) {
        for (width, height) in [(320, 180), (31, 19), (1, 1), (2, 300)] {
            let image = sign(format, width, height, ("NO USABLE MASK", "ABCDEFGHIJKLM NOPQRSTUVWXYZ-"))
            #expect(image.canariesAreIntact)
        }
    }

    /// Each letter looks unlike the others, and is white with a black rim.
    @Test func lettersDiffer() {
        let letters: [StaticString] = [
            "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S",
            "T", "U",
            "V", "W", "X", "Y", "Z", "-", " ",
        ]
        let pictures = letters.map { sign(.gray8, 64, 128, ($0, "")).bytes }
        #expect(Set(pictures).count == letters.count)
        let plain = sign(.gray8, 64, 128, (" ", ""))
        for picture in pictures.dropLast() {
            let changed = zip(picture, plain.bytes).filter { $0 != $1 }.map(\.0)
            #expect(changed.contains { $0 <= 16 } && changed.contains { $0 >= 235 })
        }
    }

    /// The middle of the first line is at a given place, whatever its length.
    @Test func linesAreInTheMiddle() {
        for line: StaticString in ["H", "HH", "HOH"] {
            let (plain, image) = (sign(.gray8, 200, 100, ("", "")), sign(.gray8, 200, 100, (line, "")))
            let rows = (0..<100).map { y in
                (0..<200).map { x in
                    image.view.plane(0).row(y)[x] != plain.view.plane(0).row(y)[x]
                }
            }
            let columns = (0..<200).filter { x in rows.contains { $0[x] } }
            #expect(columns.first.map { abs($0 + (columns.last ?? 0) - 199) <= 2 } == true)
            #expect(rows.indices.filter { rows[$0].contains(true) }.allSatisfy { (30..<50).contains($0) })
        }
    }
}
