/// The relation of a frame's Y'CbCr values to R'G'B', and the position of chroma samples.
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

    /// The relation of code values to light.
    public enum Transfer: Sendable {
        /// Gamma, as of BT.709 and sRGB: white is the brightest.
        case sdr
        /// Perceptual quantiser (SMPTE ST 2084): code values stand for absolute light, up to 10000 cd/m2.
        case pq
        /// Hybrid log-gamma (ARIB STD-B67).
        case hlg
    }

    /// The position of a chroma sample among the luma samples that share it.
    public struct ChromaSite: Sendable, Equatable {
        /// Whether chroma has the position of the left luma sample (MPEG-2); otherwise it is centred (JPEG).
        public var cositedHorizontally: Bool
        /// Whether chroma has the position of the upper luma sample; otherwise it is centred.
        public var cositedVertically: Bool

        /// Creates a chroma site.
        public init(cositedHorizontally: Bool, cositedVertically: Bool) {
            self.cositedHorizontally = cositedHorizontally
            self.cositedVertically = cositedVertically
        }

        /// Centred both ways, as in JPEG and MPEG-1.
        public static let jpeg = ChromaSite(cositedHorizontally: false, cositedVertically: false)
        /// Left and centred, as in MPEG-2, H.264 and most video.
        public static let mpeg2 = ChromaSite(cositedHorizontally: true, cositedVertically: false)
    }

    /// The luma coefficients.
    public var matrix: Matrix
    /// Code values of black and white.
    public var range: Range
    /// The relation of code values to light.
    public var transfer: Transfer
    /// The position of chroma samples.
    public var chromaSite: ChromaSite

    /// Creates a colorimetry; the defaults are those of standard-definition video.
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
