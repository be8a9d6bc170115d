import Inference
import Testing

@Suite struct FileDigestTests {
    private func digest(_ text: String, pieces: Int = 0, allowsInstructions: Bool = true) -> String {
        var hash = SHA256(allowsInstructions: allowsInstructions)
        let bytes = Array(text.utf8)
        bytes.prefix(64 * pieces).withUnsafeBytes { hash.add($0) }
        return bytes.dropFirst(64 * pieces).withUnsafeBytes { hash.finish($0) }
    }

    /// The examples of FIPS 180-4.
    @Test(arguments: [true, false])
    func hashesTheStandardsExamples(_ allowsInstructions: Bool) {
        let hashes = [
            "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq":
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            String(repeating: "a", count: 1_000_000):
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
        ]
        for (text, expected) in hashes {
            #expect(digest(text, allowsInstructions: allowsInstructions) == expected)
        }
    }

    /// Both ways agree at every length, in one piece and in several.
    @Test func bothImplementationsAgreeAtEveryLength() {
        for count in 0...260 {
            let text = String(repeating: "people", count: 50).prefix(count)
            let expected = digest(String(text), allowsInstructions: false)
            for pieces in 0...count / 64 { #expect(digest(String(text), pieces: pieces) == expected) }
        }
    }
}
