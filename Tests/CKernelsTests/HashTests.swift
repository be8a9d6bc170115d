import CKernels
import TestSupport
import Testing

/// SHA-256 is tested in `FileDigestTests`, with the type that uses it.
@Suite struct HashTests {
    private func checksum(_ bytes: [UInt8], _ seed: UInt64 = 1) -> UInt64 {
        kernel_checksum(bytes, bytes.count, seed)
    }

    /// The lengths are around the four lanes of eight bytes.
    @Test(arguments: [0, 1, 7, 8, 31, 32, 33, 64, 95, 200])
    func everyChangedByteChangesTheChecksum(_ count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes: [UInt8] = generator.integers(count, 0...255)
        let whole = checksum(bytes)
        for place in bytes.indices {
            for change: UInt8 in [1, 0x80, 0xFF] {
                var damaged = bytes
                damaged[place] ^= change
                #expect(checksum(damaged) != whole)
            }
        }
    }

    @Test func lengthAndSeedCount() {
        let zeros = (0..<100).map { checksum([UInt8](repeating: 0, count: $0)) }
        #expect(Set(zeros).count == zeros.count)
        #expect(checksum([1, 2, 3], 1) != checksum([1, 2, 3], 2))
    }
}
