import Composer
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

    /// Reads the label map and the mask of a picture.
    ///
    /// - Parameter people: the people whose numbers are given.
    /// - Returns: nil without instance masks.
    init?(_ masks: FrameMasks, _ people: [SeparatedPeople.Person]) {
        var numbers = [UInt8](repeating: 0, count: 256)
        for person in people where numbers.indices.contains(person.label) {
            numbers[person.label] = UInt8(clamping: person.number)
        }
        guard let labels = masks.withLabels({ $0.map { Grid(of: $0) } }),
            let coverage = masks.withMask({ Grid(of: $0) })
        else { return nil }
        (width, height) = (labels.width, labels.height)
        bytes = labels.samples.map { numbers[Int($0)] } + coverage.samples
    }

    /// Samples of a plane of bytes, from the middles of equal squares.
    private struct Grid {
        let width: Int
        let height: Int
        private(set) var samples: [UInt8] = []

        init(of plane: MaskView) {
            let step = (max(plane.width, plane.height) + maximumSide - 1) / maximumSide
            (width, height) = ((plane.width + step - 1) / step, (plane.height + step - 1) / step)
            samples.reserveCapacity(2 * width * height)
            var row = [Float](repeating: 0, count: plane.width)
            for y in 0..<height {
                row.withUnsafeMutableBufferPointer { row in
                    guard let base = row.baseAddress else { return }
                    plane.readRow(min(y * step + step / 2, plane.height - 1), scale: 255, into: base)
                }
                for x in 0..<width {
                    let value = row[min(x * step + step / 2, plane.width - 1)]
                    // In this order, a value that is no number becomes 0.
                    samples.append(UInt8(min(max(0, value.rounded()), 255)))
                }
            }
        }
    }
}
