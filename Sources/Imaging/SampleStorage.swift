/// How the samples of a format are stored.
enum SampleStorage: Sendable {
    /// 8 bits.
    case byte
    /// 10 bits in the lower part of two bytes.
    case tenBits
    /// 10 bits in the upper part of two bytes.
    case highTenBits
    /// 16 bits.
    case word

    var bytes: Int { self == .byte ? 1 : 2 }

    var depth: Int {
        switch self {
        case .byte: 8
        case .tenBits, .highTenBits: 10
        case .word: 16
        }
    }

    /// Bits below the significant ones.
    var shift: Int { self == .highTenBits ? 6 : 0 }
}
