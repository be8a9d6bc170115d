import GStreamerKit
import Imaging

/// The places of the people or subjects of an image, on a grid that is small enough for a page.
struct Silhouettes: Sendable {
    let width: Int
    let height: Int
    /// For each point, row by row, the number of the person there, 0 for nobody; after these, for each point
    /// the coverage of the whole mask, 0 to 255.
    let bytes: [UInt8]

    /// Maximum width and height: more than a picture has on most screens, and 2 MiB at most.
    private static let maximumSide = 1024

    /// Reads the label map and the mask of a frame.
    ///
    /// - Parameter people: the people whose numbers are given.
    /// - Returns: nil for a frame without instance masks.
    init?(_ frame: Frame, _ people: [SeparatedPeople.Person]) {
        let buffer = frame.buffer
        guard let fields = buffer?.fields(ofMeta: "GstPeopleMask"),
            let whole = Plane.size(fields.int("width"), fields.int("height")),
            let labelStride = fields.int("labels-stride"), let maskStride = fields.int("stride")
        else { return nil }
        let step = (max(whole.width, whole.height) + Self.maximumSide - 1) / Self.maximumSide
        let grid = Plane(step: step, whole: whole)
        var numbers = [UInt8](repeating: 0, count: 256)
        for person in people where numbers.indices.contains(person.label) {
            numbers[person.label] = UInt8(clamping: person.number)
        }
        guard let labels = fields.withBytes("labels", { grid.samples($0, stride: labelStride) }) ?? nil,
            let mask = fields.withBytes("mask", { grid.samples($0, stride: maskStride) }) ?? nil
        else { return nil }
        (width, height) = (grid.width, grid.height)
        bytes = labels.map { numbers[Int($0)] } + mask
    }

    /// A grid of points in a plane of bytes.
    private struct Plane {
        let step: Int
        let whole: (width: Int, height: Int)

        var width: Int { (whole.width + step - 1) / step }
        var height: Int { (whole.height + step - 1) / step }

        /// Returns a size that can be sampled; nil for other numbers.
        static func size(_ width: Int?, _ height: Int?) -> (width: Int, height: Int)? {
            let range = 1...ImageView.maximumSide
            guard let width, let height, range.contains(width), range.contains(height) else { return nil }
            return (width, height)
        }

        /// Returns the bytes at the grid's points, row by row; nil if some lie outside of `bytes`.
        func samples(_ bytes: UnsafeRawBufferPointer, stride: Int) -> [UInt8]? {
            guard stride >= whole.width, stride <= bytes.count,
                bytes.count >= stride * (whole.height - 1) + whole.width
            else { return nil }
            var samples: [UInt8] = []
            samples.reserveCapacity(2 * width * height)
            for y in 0..<height {
                let row = min(y * step + step / 2, whole.height - 1) * stride
                for x in 0..<width { samples.append(bytes[row + min(x * step + step / 2, whole.width - 1)]) }
            }
            return samples
        }
    }
}
