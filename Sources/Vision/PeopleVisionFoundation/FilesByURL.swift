public import Foundation
public import ImageFiles
public import PeopleVision

extension URL {
    /// The path of a file.
    fileprivate func filePath() throws(VisionError) -> String {
        guard isFileURL else { throw .unreadableImage("\(absoluteString) is not a file") }
        return path
    }
}

extension ImageFile {
    /// Reads a PNG or JPEG file.
    public convenience init(_ url: URL) throws {
        try self.init(reading: url.filePath())
    }
}

extension CutOut {
    /// Writes the cut-out as an 8-bit PNG with alpha.
    public func writePNG(to url: URL) throws { try writePNG(to: url.filePath()) }
}

extension Mask {
    /// Writes the mask as an 8-bit grey PNG of its own size: black is background, white is person.
    public func writePNG(to url: URL) throws { try writePNG(to: url.filePath()) }
}

extension ImageRequestHandler {
    /// Creates a handler of a PNG or JPEG file, which is read when the first request is performed.
    ///
    /// - Parameters:
    ///   - url: a file; of others, `perform` throws `VisionError.unreadableImage`.
    ///   - orientation: replaces the file's own.
    public init(_ url: URL, orientation: ImageOrientation? = nil) {
        self.init(url.isFileURL ? url.path : url.absoluteString, orientation: orientation)
    }

    /// Creates a handler of the contents of a PNG or JPEG file.
    public init(_ data: Data, orientation: ImageOrientation? = nil) {
        self.init([UInt8](data), orientation: orientation)
    }
}

extension VisionRequest {
    /// Analyses a PNG or JPEG file.
    public func perform(on url: URL, orientation: ImageOrientation? = nil) throws(VisionError) -> Observation
    {
        try perform(on: url.filePath(), orientation: orientation)
    }

    /// Analyses the contents of a PNG or JPEG file.
    public func perform(
        on data: Data, orientation: ImageOrientation? = nil
    ) throws(VisionError) -> Observation {
        try perform(on: [UInt8](data), orientation: orientation)
    }

    /// Reads and analyses a PNG or JPEG file on a thread of the library.
    ///
    /// - Parameters:
    ///   - url: a file.
    ///   - orientation: replaces the file's own.
    ///   - isolation: the actor of the caller.
    public func perform(
        on url: URL, orientation: ImageOrientation? = nil, isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) -> Observation {
        try await perform(on: url.filePath(), orientation: orientation, isolation: isolation)
    }

    /// Decodes and analyses the contents of a PNG or JPEG file on a thread of the library.
    ///
    /// - Parameters:
    ///   - data: contents of a PNG or JPEG file.
    ///   - orientation: replaces the file's own.
    ///   - isolation: the actor of the caller.
    public func perform(
        on data: Data, orientation: ImageOrientation? = nil, isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) -> Observation {
        try await perform(on: [UInt8](data), orientation: orientation, isolation: isolation)
    }
}
