public import Imaging

/// How a picture or a clip fills a stream's frames.
public struct PictureStyle: Sendable, Equatable {
    /// How the one's shape fills the other's.
    public var fit: PictureFit
    /// Whether left and right are exchanged.
    public var isMirrored: Bool
    /// The colour of what stays free: 0xAARRGGBB.
    public var border: UInt32

    /// How a picture or a clip fills a stream's frames.
    public init(fit: PictureFit = .cover, isMirrored: Bool = false, border: UInt32 = 0xff00_0000) {
        self.fit = fit
        self.isMirrored = isMirrored
        self.border = border
    }
}
