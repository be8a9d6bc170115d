package import Imaging

/// Assigns every value of a mask to an instance, and writes the parts.
///
/// Every value belongs to one instance; at the seam between two instances both have a soft share.
package class MaskParts {
    /// Half the width of the soft seam between two instances, as a share of the longer side.
    private static let seam = 0.004

    /// The number of the instance that each value belongs to, -1 for none.
    package let owners = FloatImage()

    /// The number of the part of each value, -1 for none.
    private let numbers = FloatImage()
    private let indicator = FloatImage()
    private let box = BoxMean()
    private let shareRows = LinearResizer()
    /// The shares of the parts, in the numbering of `assign`; together with the share of no part their sum is
    /// 1.
    private var shares: [FloatImage] = []

    /// Creates parts without owners, of the size `width` x `height`.
    package init(width: Int, height: Int) {
        owners.resize(width: width, height: height)
        owners.fill(-1)
    }

    /// Whether an instance is in front at a position in the frame's unit square.
    package func isOwned(by number: Int, x: Double, y: Double) -> Bool {
        let (column, row) = (Int(x * Double(owners.width)), Int(y * Double(owners.height)))
        guard (0..<owners.width).contains(column), (0..<owners.height).contains(row) else { return false }
        return owners.row(row)[column] == Float(number)
    }

    /// Assigns instances to parts.
    ///
    /// - Parameters:
    ///   - parts: for each instance the number of its part, -1 for none.
    ///   - count: number of parts.
    ///   - seams: moves the seams between parts to edges of the image; nil leaves them.
    package func assign(_ parts: [Int], count: Int, _ seams: SeamRefinement? = nil) {
        while shares.count < count { shares.append(FloatImage()) }
        numbers.resize(width: owners.width, height: owners.height)
        for i in 0..<owners.count {
            let owner = Int(owners.base[i])
            numbers.base[i] = parts.indices.contains(owner) ? Float(parts[owner]) : -1
        }
        seams?.refine(numbers, count: count)
        indicator.resize(width: numbers.width, height: numbers.height)
        let radius = max(1, Int((Self.seam * Double(max(numbers.width, numbers.height))).rounded()))
        for part in 0..<count {
            for i in 0..<numbers.count { indicator.base[i] = numbers.base[i] == Float(part) ? 1 : 0 }
            shares[part].resize(width: numbers.width, height: numbers.height)
            box.apply(
                indicator.base, width: numbers.width, height: numbers.height, radius: radius,
                into: shares[part].base)
        }
    }

    /// Writes `mask`, multiplied by the share of a part, into `target`.
    package func write(part: Int, of mask: FloatImage, into target: FloatImage) {
        target.copy(mask)
        guard shares.indices.contains(part) else { return target.fill(0) }
        shareRows.begin(shares[part], width: mask.width, height: mask.height)
        for y in 0..<mask.height { target.multiply(row: y, by: shareRows.row(y, of: shares[part])) }
    }

    /// Writes the number of the part from 1 on, as a share of 255, into each value of `labels`.
    ///
    /// A value has a label where `mask` shows more of a part than of the background; 0 elsewhere.
    ///
    /// - Parameter scratch: memory of the caller.
    package func writeLabels(count: Int, of mask: FloatImage, into labels: FloatImage, _ scratch: FloatImage)
    {
        labels.resize(width: mask.width, height: mask.height)
        scratch.resize(width: mask.width, height: mask.height)
        labels.fill(0)
        scratch.fill(0)
        for part in 0..<min(count, shares.count) {
            shareRows.begin(shares[part], width: mask.width, height: mask.height)
            let label = Float(part + 1) / 255
            for y in 0..<mask.height {
                let (share, most, row) = (shareRows.row(y, of: shares[part]), scratch.row(y), labels.row(y))
                let coverage = mask.row(y)
                for x in 0..<mask.width where share[x] > most[x] && coverage[x] > 0.5 {
                    (most[x], row[x]) = (share[x], label)
                }
            }
        }
    }
}
