/// Consecutive samples of a row that the mask treats alike.
package struct AlphaRun: Equatable, BitwiseCopyable {
    /// What the mask says about the samples.
    package enum Kind: Equatable, BitwiseCopyable {
        /// Alpha is 0: only background is seen.
        case background
        /// Alpha is full: only the frame is seen.
        case subject
        /// Alpha differs from sample to sample.
        case soft
    }

    /// What the mask says.
    package let kind: Kind
    /// The samples, counted from the row's first.
    package var samples: Range<Int> { first..<max(first, end) }
    private let first: Int
    private let end: Int

    init(kind: Kind, samples: Range<Int>) {
        self.kind = kind
        first = samples.lowerBound
        end = samples.upperBound
    }
}
