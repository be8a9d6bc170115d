import Glibc
import Inference
import Testing

@Suite struct HeadroomTests {
    @Test func reportsAShortage() throws {
        #expect(Headroom(descriptors: 1, bytes: 1 << 20).shortage == nil)
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        // At least three descriptors are open.
        #expect(Headroom(descriptors: Int(clamping: limit.rlim_cur), bytes: 1).shortage != nil)
        #expect(Headroom(descriptors: 1, bytes: 1 << 60).shortage != nil)
    }

    /// Asking leaves no descriptor and no memory behind.
    @Test func askingLeavesNoDescriptorOpen() {
        let first = dup(0)
        close(first)
        for _ in 0..<100 { _ = Headroom(descriptors: 100, bytes: 1 << 30).shortage }
        let second = dup(0)
        close(second)
        #expect(first == second)
    }
}
