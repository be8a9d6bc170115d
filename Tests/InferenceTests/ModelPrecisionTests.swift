import Foundation
import Inference
import Testing

@Suite struct ModelPrecisionTests {
    @Test(arguments: [
        ("flags\t\t: fpu sse avx512f avx512_vnni amx_int8\n", true), ("flags : fpu avx_vnni", true),
        ("flags : fpu sse avx2 avx512f\n", false), ("flags : fpu xavx_vnni\n", false),
        ("model name : avx_vnni\nflags : fpu\n", false), ("Features : fp asimd i8mm\n", false), ("", false),
    ])
    func detectsFastIntegersFromProcessorFlags(_ description: String, _ expected: Bool) {
        #expect(Processor.hasFastIntegers(Array(description.utf8)) == expected)
    }

    @Test func eightBitVersionsComeFirst() throws {
        let directory = try TemporaryDirectory()
        let integers = directory.path + "/models-int8"
        try FileManager.default.createDirectory(atPath: integers, withIntermediateDirectories: true)
        for ending in [".json", ".xml", ".bin"] {
            try FileManager.default.copyItem(
                atPath: Place.fixtures + "/scale" + ending, toPath: integers + "/scale" + ending)
        }
        let store = ModelStore(
            directories: ModelStore.withIntegers([directory.path + "/models", Place.fixtures]))
        #expect(try store.model(named: "scale").path == integers + "/scale.xml")
        #expect(try store.model(named: "counter").path == Place.fixtures + "/counter.xml")
    }
}
