/// How a mask stores coverage: 0 = background, full scale = person.
public enum MaskFormat: String, CaseIterable, Sendable {
    /// 8 bit, 0...255.
    case gray8
    /// IEEE 754 half precision, 0...1, in the machine's byte order.
    case f16
    /// IEEE 754 single precision, 0...1, in the machine's byte order.
    case f32

    /// Bytes of one value; rows and values are aligned to it.
    public var bytesPerValue: Int {
        switch self {
        case .gray8: 1
        case .f16: 2
        case .f32: 4
        }
    }
}
