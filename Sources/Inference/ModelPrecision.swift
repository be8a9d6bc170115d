/// The arithmetic that models may be run in.
public enum ModelPrecision: String, Sendable, CaseIterable {
    /// 8-bit integers where `pipelines/setup` has prepared a model for them and the CPU has instructions for them;
    /// single precision elsewhere.
    case automatic = "auto"
    /// IEEE 754 single precision, with the same results on every CPU but for rounding.
    case float32 = "f32"
}

/// What the processor can do.
package enum Processor {
    /// Whether it multiplies and adds 8-bit integers in one instruction (AVX512-VNNI or AVX-VNNI).
    static let hasFastIntegers = hasFastIntegers(FileSystem.read("/proc/cpuinfo", limit: 1 << 24) ?? [])

    /// The same of a processor that the kernel describes so.
    package static func hasFastIntegers(_ description: [UInt8]) -> Bool {
        let lines = description.split(separator: UInt8(ascii: "\n"))
        guard let flags = lines.first(where: { $0.starts(with: "flags".utf8) }) else { return false }
        let words = flags.split(separator: UInt8(ascii: " "))
        return words.contains { $0.elementsEqual("avx512_vnni".utf8) || $0.elementsEqual("avx_vnni".utf8) }
    }
}
