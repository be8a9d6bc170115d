import GStreamerKit
import TestSupport
import Testing

/// Reused memory.
struct MemoryPoolTests {
    /// Returns the address and the number of a buffer's bytes.
    private func bytes(_ buffer: borrowing MemoryBuffer) -> (address: UInt, count: Int) {
        var found: (UInt, Int) = (0, 0)
        let isMapped = buffer.withMutableBytes { found = (UInt(bitPattern: $0.baseAddress), $0.count) }
        #expect(isMapped)
        return found
    }

    /// Acquires a buffer; since it cannot be copied, #require cannot be used.
    private func acquire(_ pool: MemoryPool) throws -> MemoryBuffer {
        guard let buffer = pool.acquire() else { throw SetupFailure("no buffer") }
        return buffer
    }

    private func address(_ pool: MemoryPool) throws -> UInt { bytes(try acquire(pool)).address }

    @Test func usesABufferAgain() throws {
        let pool = try #require(MemoryPool(byteCount: 1000))
        let first = try address(pool)
        for _ in 0..<10 { #expect(try address(pool) == first) }
    }

    @Test func neverLendsABufferTwice() throws {
        let pool = try #require(MemoryPool(byteCount: 64))
        let one = try acquire(pool)
        let two = try acquire(pool)
        #expect(bytes(one).address != bytes(two).address)
        #expect(bytes(one).count == 64)
    }

    @Test func doesNotLendTheBufferOfASlot() throws {
        let pool = try #require(MemoryPool(byteCount: 64))
        let slot = BufferSlot()
        #expect(slot.isEmpty)
        let first = try acquire(pool)
        let kept = bytes(first).address
        slot.keep(first)
        #expect(!slot.isEmpty)
        #expect(try address(pool) != kept)
        slot.clear()
        #expect(slot.isEmpty)
        let one = try acquire(pool)
        let two = try acquire(pool)
        #expect([bytes(one).address, bytes(two).address].contains(kept))
    }

    @Test(arguments: [0, -1, Int(UInt32.max) + 1, .max])
    func refusesOtherSizes(_ byteCount: Int) {
        #expect(MemoryPool(byteCount: byteCount) == nil)
    }
}
