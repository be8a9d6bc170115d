import CKernels

/// Finds how an image has moved since the one before, along the edges of a mask.
///
/// Block matching by full search: each point of a grid moves like the 8x8 pixels around it, to where the sum of
/// absolute differences is least within 3 pixels; a parabola through its neighbours gives fractions of a pixel.
package final class BlockMatcher {
    /// Pixels from one point of the grid to the next: half a block, so that blocks overlap.
    private static let spacing = Int(kernel_block_side) / 2
    private static let reach = Int(kernel_block_reach)
    /// Sums of absolute differences per block.
    private static let candidates = (2 * reach + 1) * (2 * reach + 1)
    /// What each pixel of motion adds to the sum of differences: blocks without texture match everywhere, and stay.
    private static let penalty: Float = 16
    /// A block whose sum of differences is greater, 16 of 255 a pixel, shows something else than before.
    private static let largestDifference: Float = 16 * 64
    /// Values of a mask that differ by less have no edge between them.
    private static let softness: Float = 0.04

    /// From the image before to the last one.
    package let motion = MotionField()

    private var image = PaddedImage()
    private var last = PaddedImage()
    private let edges = FloatImage()
    private let morphology = MorphologyFilter()
    private let differences = ScratchBuffer<UInt16>()

    /// A matcher that has seen no image.
    package init() { differences.reserve(Self.candidates) }

    /// Takes the next image.
    ///
    /// - Parameter brightness: 0...1.
    package func advance(to brightness: FloatImage) {
        swap(&image, &last)
        image.fill(brightness)
        let (columns, rows) = (brightness.width / Self.spacing, brightness.height / Self.spacing)
        edges.resize(width: columns, height: rows)
        motion.rest(columns: columns, rows: rows, width: brightness.width, height: brightness.height)
    }

    /// Finds the motion of all points near edges of `mask`, which belongs to the image before; all others stay.
    ///
    /// - Returns: the share of these points that moved too far or look different; 1 where images cannot be compared.
    package func match(alongEdgesOf mask: FloatImage) -> Double {
        guard image.width == last.width, image.height == last.height, mask.count > 0 else { return 1 }
        markEdges(of: mask)
        motion.rest(like: motion)
        var (near, lost) = (0, 0)
        for y in 0..<edges.height {
            for x in 0..<edges.width where edges.row(y)[x] > 0 {
                near += 1
                guard !match(x, y) else { continue }
                lost += 1
                motion.lost.row(y)[x] = 1
            }
        }
        return near == 0 ? 0 : Double(lost) / Double(near)
    }

    /// The mean of values of the grid at the points near edges of the last mask; 0 without any.
    package func meanAlongEdges(_ values: FloatImage) -> Double {
        guard values.count == edges.count else { return 1 }
        var (near, sum) = (0, Float(0))
        for i in 0..<edges.count where edges.base[i] > 0 {
            near += 1
            sum += values.base[i]
        }
        return near == 0 ? 0 : Double(sum) / Double(near)
    }

    /// Marks the points whose blocks, or those that these are compared with, may reach an edge of `mask`.
    private func markEdges(of mask: FloatImage) {
        for y in 0..<edges.height {
            let rows = Self.part(y, of: edges.height, in: mask.height)
            let marks = edges.row(y)
            for x in 0..<edges.width {
                let columns = Self.part(x, of: edges.width, in: mask.width)
                marks[x] = mask.difference(rows, columns) > Self.softness ? 1 : 0
            }
        }
        morphology.dilate(edges, radius: 2)
    }

    /// What a cell covers of a longer side, and one value of the next cell.
    private static func part(_ cell: Int, of cells: Int, in count: Int) -> Range<Int> {
        let (first, end) = (cell * count / cells, (cell + 1) * count / cells)
        return first..<max(first, min(end + 1, count))
    }

    /// Finds the motion of one point; false when it is lost.
    private func match(_ column: Int, _ row: Int) -> Bool {
        let corner = (Self.spacing - Int(kernel_block_side)) / 2
        let (x, y) = (column * Self.spacing + corner, row * Self.spacing + corner)
        let sums = differences.base
        kernel_match_block(image.pixel(x, y), last.pixel(x, y), image.pitch, sums)
        let best = minimumSum(sums)
        let (least, line) = (sums + best.place, 2 * Self.reach + 1)
        motion.across.row(row)[column] = Float(best.x) + Self.vertex(least, step: 1, at: best.x)
        motion.down.row(row)[column] = Float(best.y) + Self.vertex(least, step: line, at: best.y)
        return abs(best.x) < Self.reach && abs(best.y) < Self.reach
            && Float(sums[best.place]) <= Self.largestDifference
    }

    private func minimumSum(_ sums: UnsafePointer<UInt16>) -> (x: Int, y: Int, place: Int) {
        var (best, place, least) = ((x: 0, y: 0), 0, Float.infinity)
        var index = 0
        for y in -Self.reach...Self.reach {
            for x in -Self.reach...Self.reach {
                let sum = Float(sums[index]) + Self.penalty * Float(abs(x) + abs(y))
                if sum < least { (best, place, least) = ((x, y), index, sum) }
                index += 1
            }
        }
        return (best.x, best.y, place)
    }

    /// How far the vertex of the parabola through a sum and its two neighbours is from it, at most half a pixel.
    private static func vertex(_ sum: UnsafePointer<UInt16>, step: Int, at position: Int) -> Float {
        guard abs(position) < reach else { return 0 }
        let (before, here, after) = (Float(sum[-step]), Float(sum[0]), Float(sum[step]))
        let curvature = before + after - 2 * here
        guard curvature > 0 else { return 0 }
        // Of a shift by a fraction that much is left of the neighbours' differences; nothing where the image stands still.
        let most = min(2 * here / (before + after), 0.5)
        return min(max(0.5 * (before - after) / curvature, -most), most)
    }
}

extension FloatImage {
    /// The largest difference between two values of a part.
    fileprivate func difference(_ rows: Range<Int>, _ columns: Range<Int>) -> Float {
        var (low, high) = (Float.infinity, -Float.infinity)
        for y in rows {
            let row = row(y)
            for x in columns { (low, high) = (min(low, row[x]), max(high, row[x])) }
        }
        return high - low
    }
}

/// Brightness in bytes, with a margin of repeated edges, so that blocks may begin outside.
struct PaddedImage {
    /// Pixels on each side: blocks begin up to a quarter of their side outside, and are searched for around there.
    private static let margin = Int(kernel_block_side) / 4 + Int(kernel_block_reach)

    private(set) var width = 0
    private(set) var height = 0
    private let pixels = ScratchBuffer<UInt8>()

    /// Pixels from one row to the next.
    var pitch: Int { width + 2 * Self.margin }

    /// The pixel at a place, which may lie in the margin.
    func pixel(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
        pixels.base + (y + Self.margin) * pitch + x + Self.margin
    }

    /// Takes over an image's brightness, 0...1.
    mutating func fill(_ brightness: FloatImage) {
        (width, height) = (brightness.width, brightness.height)
        pixels.reserve(pitch * (height + 2 * Self.margin))
        for y in 0..<height {
            let (row, values) = (pixel(0, y), brightness.row(y))
            for x in 0..<width { row[x] = roundedByte(min(max(values[x] * 255, 0), 255)) }
            for x in 1...Self.margin { (row[-x], row[width - 1 + x]) = (row[0], row[width - 1]) }
        }
        let (top, bottom) = (pixel(-Self.margin, 0), pixel(-Self.margin, height - 1))
        for y in 1...Self.margin {
            (top - y * pitch).update(from: top, count: pitch)
            (bottom + y * pitch).update(from: bottom, count: pitch)
        }
    }
}
