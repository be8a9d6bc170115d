import Imaging

extension RequestConfiguration {
    /// Returns the size of the part of an image that is analysed, in pixels; at least one.
    func analysedSize(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        let part = PixelRect(regionOfInterest, width: width, height: height)
        return (max(1, part.width), max(1, part.height))
    }
}

extension InputFrame {
    /// Returns the frame as a request with these settings analyses it: in its mode, and cropped to its region of
    /// interest.
    ///
    /// This is the only place that crops; `toStored` maps results back.
    ///
    /// - Throws: `VisionError.sampling` where the region is empty or outside of the image.
    func of(_ configuration: some RequestConfiguration) throws(VisionError) -> InputFrame {
        var frame = self
        frame.standsAlone = standsAlone ?? !configuration.mode.isStream
        let region = configuration.regionOfInterest
        guard region != .unit else { return frame }
        let wanted = PixelRect(region, width: image.width, height: image.height)
        guard let (view, rect) = image.part(around: wanted) else {
            throw .sampling("its region of interest, \(region.text), has no pixels")
        }
        (frame.image, frame.part) = (view, Part(rect, of: self))
        return frame
    }

    /// The place of a frame's image in a larger one.
    struct Part: Equatable {
        /// Size of the larger image, as stored.
        let whole: Size
        /// The place, in the unit square of the larger image.
        let box: Rectangle

        fileprivate init(_ rect: PixelRect, of frame: InputFrame) {
            let (width, height) = (Double(frame.image.width), Double(frame.image.height))
            let box = Rectangle(
                x: Double(rect.x) / width, y: Double(rect.y) / height, width: Double(rect.width) / width,
                height: Double(rect.height) / height)
            self.box = frame.part.map { FrameTransform.crop($0.box).map(box) } ?? box
            whole = frame.wholeSize
        }
    }

    /// The size of the whole image, as stored, of which `image` may be a part.
    var wholeSize: Size { part?.whole ?? Size(width: image.width, height: image.height) }

    /// The transform from the unit square of the upright `image` to that of the whole stored image.
    var toStored: FrameTransform {
        let upright = FrameTransform.orientation(orientation)
        return part.map { upright.followed(by: .crop($0.box)) } ?? upright
    }
}

extension Rectangle {
    fileprivate var text: String { "\(width)x\(height) at \(x), \(y)" }
}
