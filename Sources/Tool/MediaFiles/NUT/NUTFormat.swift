/// Constants of NUT, the container in which frames pass through pipes between ffmpeg and this program.
///
/// NUT keeps times exactly, in any time base, and every version of ffmpeg reads and writes it. Source: the NUT Open Container
/// Format, version 3 of 2013 (ffmpeg's git repository "nut").
enum NUT {
    static let fileIdentifier = Array("nut/multimedia container\0".utf8)

    /// First bytes of a packet that is no frame; all begin with `N`.
    enum StartCode: UInt64 {
        case main = 0x4E4D_7A56_1F5F_04AD
        case stream = 0x4E53_1140_5BF2_F9DB
        case syncpoint = 0x4E4B_E4AD_EECA_4569
        case index = 0x4E58_DD67_2F23_E64E
        case info = 0x4E49_AB68_B596_BA78
    }

    /// First byte of start codes, which is therefore no frame code.
    static let startByte = 0x4E

    /// Packets above this size have a checksum of their first bytes as well.
    static let maximumUncheckedBytes = 4096

    /// Frames above this size have no header that is left out.
    static let maximumElidedBytes = 4096

    /// Largest distance between two syncpoints, in bytes, that demuxers accept.
    static let maximumDistance = 65536

    struct FrameFlags: OptionSet {
        let rawValue: UInt64
        static let key = Self(rawValue: 1)
        static let codedTime = Self(rawValue: 8)
        static let streamID = Self(rawValue: 16)
        static let codedSize = Self(rawValue: 32)
        static let checksum = Self(rawValue: 64)
        static let reserved = Self(rawValue: 128)
        static let sideData = Self(rawValue: 256)
        static let elidedHeader = Self(rawValue: 1024)
        static let matchTime = Self(rawValue: 2048)
        static let coded = Self(rawValue: 4096)
        static let invalid = Self(rawValue: 8192)
    }

    /// CRC-32 of the polynomial 0x04C11DB7, most significant bit first, beginning with zero.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0) { sum, byte in sum << 8 ^ checksums[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)]
        }
    }

    private static let checksums: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { sum, _ in
            sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7
        }
    }
}

/// The one video track of a NUT stream.
package struct NUTTrack: Equatable, Sendable {
    /// Codec, or format of raw frames, as ffmpeg abbreviates it.
    package var codecTag: [UInt8]
    /// Headers of the codec; empty for raw frames.
    package var codecData: [UInt8] = []
    /// Seconds of one tick.
    package var timeBase: Rational
    package var width: Int
    package var height: Int
    /// Width of a pixel over its height; 0/0 where it is unknown.
    package var pixelAspectRatio: Rational
    /// Frames by which decoding runs ahead of presentation.
    package var decodeDelay = 0
    /// Frames a second, which ffmpeg does not find by itself where frames are large; nil where it is unknown.
    package var rate: Rational?

    /// A track of raw frames, or one that is described by a reader.
    package init(codecTag: [UInt8], timeBase: Rational, width: Int, height: Int, pixelAspectRatio: Rational) {
        (self.codecTag, self.timeBase) = (codecTag, timeBase)
        (self.width, self.height, self.pixelAspectRatio) = (width, height, pixelAspectRatio)
    }
}

/// Header before the bytes of a frame.
package struct NUTPacket: Equatable, Sendable {
    /// Time at which it is shown, in ticks of the track's time base.
    package var time: Int
    /// Whether it can be decoded without others.
    package var isKey: Bool
    package var byteCount: Int

    package init(time: Int, isKey: Bool, byteCount: Int) {
        (self.time, self.isKey, self.byteCount) = (time, isKey, byteCount)
    }
}
