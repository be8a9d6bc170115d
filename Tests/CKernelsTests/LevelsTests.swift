import CKernels
import Testing

@Suite struct LevelsTests {
    /// `Tests/cpu-levels` reads the printed line.
    @Test func thereIsALevelForTheCPU() {
        #if arch(x86_64)
            print("kernels of x86-64-v\(kernel_level())")
            #expect([1, 3, 4].contains(kernel_level()))
        #else
            #expect(kernel_level() == 0)
        #endif
    }
}
