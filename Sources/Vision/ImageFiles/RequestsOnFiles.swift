public import Imaging
public import PeopleVision

extension ImageRequestHandler {
    /// Creates a handler of a decoded image, which it keeps.
    ///
    /// - Parameters:
    ///   - file: the image.
    ///   - orientation: replaces the file's own.
    public init(_ file: ImageFile, orientation: ImageOrientation? = nil) {
        self.init(ImageSource { () throws(VisionError) in file.decoded(orientation) })
    }

    /// Creates a handler of a PNG or JPEG file, which is read when the first request is performed.
    ///
    /// - Parameters:
    ///   - path: name of a PNG or JPEG file.
    ///   - orientation: replaces the file's own.
    public init(_ path: String, orientation: ImageOrientation? = nil) {
        self.init(
            ImageSource { () throws(VisionError) in
                do throws(ImageFileError) { return try ImageFile(reading: path).decoded(orientation) } catch {
                    throw .unreadableImage(error.description)
                }
            })
    }

    /// Creates a handler of the bytes of a PNG or JPEG file, which are decoded when the first request is
    /// performed.
    ///
    /// - Parameters:
    ///   - bytes: contents of a PNG or JPEG file.
    ///   - orientation: replaces the file's own.
    public init(_ bytes: [UInt8], orientation: ImageOrientation? = nil) {
        self.init(
            ImageSource { () throws(VisionError) in
                do throws(ImageFileError) { return try ImageFile(bytes).decoded(orientation) } catch {
                    throw .unreadableImage(error.description)
                }
            })
    }
}

extension ImageFile {
    fileprivate func decoded(_ orientation: ImageOrientation?) -> DecodedImage {
        DecodedImage(view, orientation ?? self.orientation, keeping: self)
    }
}

extension VisionRequest {
    /// Analyses a decoded image.
    ///
    /// - Parameters:
    ///   - file: the image.
    ///   - orientation: replaces the file's own.
    public func perform(
        on file: ImageFile, orientation: ImageOrientation? = nil
    ) throws(VisionError) -> Observation {
        try ImageRequestHandler(file, orientation: orientation).perform(only: self)
    }

    /// Analyses a PNG or JPEG file.
    ///
    /// - Parameters:
    ///   - path: name of a PNG or JPEG file.
    ///   - orientation: replaces the file's own.
    /// - Throws: `VisionError.unreadableImage`, and the errors of `perform(on:)` for a frame.
    public func perform(
        on path: String, orientation: ImageOrientation? = nil
    ) throws(VisionError) -> Observation {
        try ImageRequestHandler(path, orientation: orientation).perform(only: self)
    }

    /// Analyses the bytes of a PNG or JPEG file.
    ///
    /// - Parameters:
    ///   - bytes: contents of a PNG or JPEG file.
    ///   - orientation: replaces the file's own.
    /// - Throws: `VisionError.unreadableImage`, and the errors of `perform(on:)` for a frame.
    public func perform(
        on bytes: [UInt8], orientation: ImageOrientation? = nil
    ) throws(VisionError) -> Observation {
        try ImageRequestHandler(bytes, orientation: orientation).perform(only: self)
    }
}

extension VisionRequest {
    /// Analyses a decoded image on a thread of the library.
    ///
    /// - Parameters:
    ///   - file: the image.
    ///   - orientation: replaces the file's own.
    ///   - isolation: the actor of the caller.
    public func perform(
        on file: ImageFile, orientation: ImageOrientation? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) -> Observation {
        try await ImageRequestHandler(file, orientation: orientation).perform(self, isolation: isolation)
    }

    /// Reads and analyses a PNG or JPEG file on a thread of the library.
    ///
    /// - Parameters:
    ///   - path: name of a PNG or JPEG file.
    ///   - orientation: replaces the file's own.
    ///   - isolation: the actor of the caller.
    /// - Throws: `VisionError.unreadableImage`, and the errors of `perform(on:)` for a frame.
    public func perform(
        on path: String, orientation: ImageOrientation? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) -> Observation {
        try await ImageRequestHandler(path, orientation: orientation).perform(self, isolation: isolation)
    }

    /// Decodes and analyses the bytes of a PNG or JPEG file on a thread of the library.
    ///
    /// - Parameters:
    ///   - bytes: contents of a PNG or JPEG file.
    ///   - orientation: replaces the file's own.
    ///   - isolation: the actor of the caller.
    /// - Throws: `VisionError.unreadableImage`, and the errors of `perform(on:)` for a frame.
    public func perform(
        on bytes: [UInt8], orientation: ImageOrientation? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) -> Observation {
        try await ImageRequestHandler(bytes, orientation: orientation).perform(self, isolation: isolation)
    }
}
