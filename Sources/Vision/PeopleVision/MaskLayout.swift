public import Imaging

/// Size and sample format of a mask.
public struct MaskLayout: Sendable, Equatable, CustomStringConvertible {
    /// Samples in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// The sample format.
    public var format: MaskFormat

    /// Creates the layout of a mask of `width` x `height` samples.
    public init(width: Int, height: Int, format: MaskFormat) {
        self.width = width
        self.height = height
        self.format = format
    }

    /// Width, height and format.
    public var description: String { "\(width)x\(height) \(format.rawValue)" }
}
