import FileNames
import Testing

/// File names are bytes, and different names have different texts.
struct FileNameTests {
    private static let names: [[UInt8]] = [
        Array("plain.png".utf8), Array("Ähre 人 👩🏽‍🚀.png".utf8), [0xe4, 0x2e, 0x70], [0x66, 0xff, 0xfe, 0x80],
        [0xe2, 0x82], [0xf4, 0x8f, 0xba, 0x80], [0xf4, 0x8f, 0xbb], [0xed, 0xa0, 0x80], [0xc0, 0xaf],
        [0x61, 0xcc, 0x81], [0xc3, 0xa1], [],
    ]

    @Test(arguments: names)
    func namesSurviveARoundTrip(_ name: [UInt8]) {
        let text = String(fileName: name)
        #expect(text.fileNameBytes == name)
        #expect(text.fileName == name.map { CChar(bitPattern: $0) } + [0])
        #expect(text.fileName.withUnsafeBufferPointer { $0.baseAddress.map { String(fileName: $0) } } == text)
    }

    @Test func utf8NamesStayUnchanged() {
        #expect(String(fileName: Array("Ähre 人.png".utf8)) == "Ähre 人.png")
        #expect("Ähre 人.png".legible == "Ähre 人.png")
    }

    @Test func separatorsAndExtensionsStayReadable() {
        let text = String(fileName: [0x64, 0x2f, 0xe4, 0x2e, 0x70, 0x6e, 0x67])
        #expect(text.hasSuffix(".png") && text.split(separator: "/").count == 2)
        #expect(text.legible == "d/\u{fffd}.png")
    }

    @Test func allPairsOfBytesHaveDistinctTexts() {
        var texts: Set<[UInt8]> = []
        for first in UInt8(1)...255 {
            for second in UInt8(1)...255 {
                let text = String(fileName: [first, second])
                #expect(text.fileNameBytes == [first, second])
                texts.insert(Array(text.utf8))
            }
        }
        #expect(texts.count == 255 * 255)
    }
}
