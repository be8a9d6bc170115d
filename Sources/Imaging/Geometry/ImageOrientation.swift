/// How a stored picture must be turned to be seen upright; the eight values of EXIF tag 0x0112.
///
/// The names say on which side of the upright picture the stored picture's first row is seen: a `right`
/// picture was taken with the camera turned, and needs a quarter turn clockwise to be upright.
public enum ImageOrientation: Int, CaseIterable, Sendable {
    /// Stored upright.
    case up = 1
    /// Stored as a mirror image, left and right exchanged.
    case upMirrored = 2
    /// Stored upside down.
    case down = 3
    /// Stored as a mirror image, top and bottom exchanged.
    case downMirrored = 4
    /// Rows and columns exchanged.
    case leftMirrored = 5
    /// Needs a quarter turn clockwise.
    case right = 6
    /// Rows and columns exchanged, then turned by half.
    case rightMirrored = 7
    /// Needs a quarter turn counter-clockwise.
    case left = 8

    /// True when the upright picture's width is the stored picture's height.
    public var swapsAxes: Bool { rawValue >= 5 }

    /// The orientation that undoes this one.
    public var inverse: ImageOrientation {
        switch self {
        case .right: .left
        case .left: .right
        default: self
        }
    }

    /// The upright size of a picture stored with `size`.
    public func uprightSize(of size: Size) -> Size {
        swapsAxes ? Size(width: size.height, height: size.width) : size
    }
}
