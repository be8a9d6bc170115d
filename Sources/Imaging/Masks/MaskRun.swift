/// Consecutive bytes of a row that the mask treats alike.
package struct MaskRun: Equatable, BitwiseCopyable {
    /// What the mask says about the bytes.
    package enum Kind: Equatable, BitwiseCopyable {
        /// Alpha is 0: only background is seen.
        case background
        /// Alpha is 255: only the frame is seen.
        case subject
        /// Alpha differs from byte to byte.
        case soft
    }

    /// What the mask says.
    package let kind: Kind
    /// The bytes, counted from the row's first.
    package var bytes: Range<Int> { first..<max(first, end) }
    private let first: Int
    private let end: Int

    init(kind: Kind, bytes: Range<Int>) {
        self.kind = kind
        first = bytes.lowerBound
        end = bytes.upperBound
    }
}
