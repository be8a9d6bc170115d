/// How Y'CbCr values of a frame relate to R'G'B', and where chroma samples sit.
///
/// Sources: ITU-R BT.601-7, BT.709-6, BT.2020-2, BT.2100-2.
public struct Colorimetry: Sendable, Equatable {
    /// The luma coefficients.
    public enum Matrix: Sendable { case bt601, bt709, bt2020 }

    /// Code values of black and white.
    public enum Range: Sendable {
        /// Y 16...235, Cb and Cr 16...240 (8 bit).
        case limited
        /// All code values.
        case full
    }

    /// How code values relate to light.
    public enum Transfer: Sendable {
        /// Gamma, as of BT.709 and sRGB: white is the brightest.
        case sdr
        /// Perceptual quantiser (SMPTE ST 2084): code values name absolute light, up to 10000 cd/m2.
        case pq
        /// Hybrid log-gamma (ARIB STD-B67).
        case hlg
    }

    /// Where a chroma sample sits among the luma samples that share it.
    public struct ChromaSite: Sendable, Equatable {
        /// True when chroma shares the position of the left luma sample (MPEG-2), false when centred (JPEG).
        public var cositedHorizontally: Bool
        /// True when chroma shares the position of the upper luma sample, false when centred.
        public var cositedVertically: Bool

        /// A chroma site.
        public init(cositedHorizontally: Bool, cositedVertically: Bool) {
            self.cositedHorizontally = cositedHorizontally
            self.cositedVertically = cositedVertically
        }

        /// Centred both ways; what JPEG and MPEG-1 use.
        public static let jpeg = ChromaSite(cositedHorizontally: false, cositedVertically: false)
        /// Left and centred; what MPEG-2, H.264 and most video use.
        public static let mpeg2 = ChromaSite(cositedHorizontally: true, cositedVertically: false)
    }

    /// The luma coefficients.
    public var matrix: Matrix
    /// Code values of black and white.
    public var range: Range
    /// How code values relate to light.
    public var transfer: Transfer
    /// Where chroma samples sit.
    public var chromaSite: ChromaSite

    /// A colorimetry; the defaults are those of standard-definition video.
    public init(
        matrix: Matrix = .bt601, range: Range = .limited, chromaSite: ChromaSite = .mpeg2,
        transfer: Transfer = .sdr
    ) {
        self.matrix = matrix
        self.range = range
        self.chromaSite = chromaSite
        self.transfer = transfer
    }
}
