import Glibc

/// Floats on a cache line boundary, zero at first, that keep their address as long as this lives.
final class TensorMemory {
    let elements: UnsafeMutableBufferPointer<Float>

    /// - Returns: `nil` when there is no memory for `count` elements.
    init?(count: Int) {
        var memory: UnsafeMutableRawPointer?
        let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Float>.stride)
        guard count > 0, !overflow, posix_memalign(&memory, 64, bytes) == 0, let memory else { return nil }
        let floats = memory.bindMemory(to: Float.self, capacity: count)
        floats.initialize(repeating: 0, count: count)
        elements = UnsafeMutableBufferPointer(start: floats, count: count)
    }

    deinit {
        free(elements.baseAddress)
    }
}
