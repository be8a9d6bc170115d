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

extension ImageOrientation {
    /// The upright size of a picture stored with `width` x `height` pixels, and the other way round.
    public func upright(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        swapsAxes ? (height, width) : (width, height)
    }
}

extension PixelRect {
    /// Where a part of the upright picture lies in the stored one of `width` x `height` pixels.
    public func stored(_ orientation: ImageOrientation, width: Int, height: Int) -> PixelRect {
        let part = orientation.upright(self.width, self.height)
        let (left, right) = (x, width - x - self.width)
        let (top, bottom) = (y, height - y - self.height)
        let (leftOfRows, rightOfRows) = (y, width - y - self.height)
        let (topOfColumns, bottomOfColumns) = (x, height - x - self.width)
        let (x, y) =
            switch orientation {
            case .up: (left, top)
            case .upMirrored: (right, top)
            case .down: (right, bottom)
            case .downMirrored: (left, bottom)
            case .leftMirrored: (leftOfRows, topOfColumns)
            case .right: (leftOfRows, bottomOfColumns)
            case .rightMirrored: (rightOfRows, bottomOfColumns)
            case .left: (rightOfRows, topOfColumns)
            }
        return PixelRect(x: x, y: y, width: part.width, height: part.height)
    }
}
