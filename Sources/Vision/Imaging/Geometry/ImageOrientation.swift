/// The rotation or reflection that makes a stored image upright; the eight values of EXIF tag 0x0112.
///
/// A name is the side of the upright image on which the stored image's first row is seen: a `right` image was
/// taken with the camera rotated, and needs a quarter turn clockwise to be upright.
public enum ImageOrientation: Int, CaseIterable, Sendable {
    /// Stored upright.
    case up = 1
    /// Stored as a mirror image, left and right exchanged.
    case upMirrored = 2
    /// Stored upside down.
    case down = 3
    /// Stored as a mirror image, top and bottom exchanged.
    case downMirrored = 4
    /// Stored with rows and columns exchanged.
    case leftMirrored = 5
    /// Stored so that it needs a quarter turn clockwise.
    case right = 6
    /// Stored with rows and columns exchanged, then rotated by half a turn.
    case rightMirrored = 7
    /// Stored so that it needs a quarter turn counter-clockwise.
    case left = 8

    /// Whether the upright image's width is the stored image's height.
    public var swapsAxes: Bool { rawValue >= 5 }

    /// The orientation that undoes this one.
    public var inverse: ImageOrientation {
        switch self {
        case .right: .left
        case .left: .right
        default: self
        }
    }

    /// Returns the upright size of an image stored with `size`.
    public func uprightSize(of size: Size) -> Size {
        swapsAxes ? Size(width: size.height, height: size.width) : size
    }
}

extension ImageOrientation {
    /// Returns the upright size of an image stored with `width` x `height` pixels, and the other way round.
    package func upright(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        swapsAxes ? (height, width) : (width, height)
    }
}

extension PixelRect {
    /// Returns the place of a part of the upright image in the stored one of `width` x `height` pixels.
    package func stored(_ orientation: ImageOrientation, width: Int, height: Int) -> PixelRect {
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

extension ImageOrientation {
    /// Reads the orientation from a JPEG file's EXIF data; nil when there are none, or they are damaged.
    ///
    /// - Parameter jpeg: the file, or enough of its beginning.
    public init?(exifOf jpeg: [UInt8]) {
        guard let tiff = Bytes(jpeg[...]).exifSegment(), let value = tiff.orientation() else { return nil }
        self.init(rawValue: value)
    }
}

/// Numbers in a part of a file; nil beyond its end.
private struct Bytes {
    let bytes: ArraySlice<UInt8>
    private var isLittleEndian = false

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    func byte(_ offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return Int(bytes[bytes.startIndex + offset])
    }

    func short(_ offset: Int) -> Int? {
        guard let first = byte(offset), let second = byte(offset + 1) else { return nil }
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }

    func long(_ offset: Int) -> Int? {
        guard let first = short(offset), let second = short(offset + 2) else { return nil }
        return isLittleEndian ? second << 16 | first : first << 16 | second
    }

    // MARK: - JPEG (ITU-T T.81, B.1) and EXIF (JEITA CP-3451, 4.5 and 4.6)

    /// Returns the TIFF structure in the file's segment APP1.
    func exifSegment() -> Bytes? {
        var offset = 2
        guard short(0) == 0xffd8 else { return nil }
        while let marker = short(offset), let length = short(offset + 2), marker >> 8 == 0xff, length >= 2 {
            // Pixels follow the marker "start of scan".
            guard marker != 0xffda else { return nil }
            let content = bytes.dropFirst(offset + 4).prefix(length - 2)
            if marker == 0xffe1, content.starts(with: Array("Exif\0\0".utf8)) {
                return Bytes(content.dropFirst(6))
            }
            offset += 2 + length
        }
        return nil
    }

    /// Returns the value of tag 0x0112 in the first directory.
    func orientation() -> Int? {
        var tiff = self
        guard let order = short(0), order == 0x4949 || order == 0x4d4d else { return nil }
        tiff.isLittleEndian = order == 0x4949
        guard tiff.short(2) == 42, let directory = tiff.long(4), let count = tiff.short(directory) else {
            return nil
        }
        for index in 0..<count {
            let entry = directory + 2 + 12 * index
            guard let tag = tiff.short(entry) else { return nil }
            if tag == 0x0112 { return tiff.short(entry + 8) }
        }
        return nil
    }
}
