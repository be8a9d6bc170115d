import CKernels

/// Finds the places of an image's blocks in the image before.
struct BlockSearch {
    /// The earlier place of a block, and its likeness there.
    struct Match {
        /// Distance in pixels to the right of the block; fractions if its neighbours determine them.
        var across: Float
        /// Distance in pixels below the block.
        var down: Float
        /// The sum of absolute differences of the block's pixels.
        let difference: Float
        /// Whether the best place is at the border of the search: the block may have moved farther.
        let isAtBorder: Bool
    }

    /// Side of a block, in pixels.
    static let side = Int(kernel_block_side)
    /// Maximum distance of a block from the centre of a search, in pixels.
    static let maximumReach = 9
    /// Maximum distance of a search's centre from the block, in pixels: twice as far, rounded, after a search
    /// at half the size.
    private static let maximumStart = 2 * maximumReach + 1
    /// Penalty per pixel of motion in the sum of differences, so that blocks without texture, which match
    /// everywhere, stay.
    private static let penalty: Float = 16

    /// Returns the penalty of a motion in the sum of differences.
    static func penalty(of offset: SIMD2<Int>) -> Float { penalty * Float(abs(offset.x) + abs(offset.y)) }

    /// Margin of a large block around a small one with the same centre, in pixels on each side.
    private static let outside = (Int(kernel_large_block_side) - side) / 2
    /// Maximum distance of a block and its candidates outside of the images, in pixels.
    private static let margin = side / 4 + outside + maximumReach + maximumStart
    /// Weight of a pixel that the mask does not cover, relative to 1 for a covered pixel.
    ///
    /// If a block has no covered pixels, all of its pixels have equal weights.
    private static let minimumWeight: Float = 4.0 / 255

    private(set) var width = 0
    private(set) var height = 0
    private var image = PaddedImage(margin: margin)
    private var last = PaddedImage(margin: margin)
    /// Weight of each pixel of the image before; used from `weigh(by:)` to the next image.
    private var weights = PaddedImage(margin: margin)
    private var isWeighted = false
    /// Whether weighted blocks are large.
    private let isLarge: Bool
    private let weightRows = LinearResizer()
    private let differences = ScratchBuffer<UInt16>()

    /// Creates a search that has seen no image.
    ///
    /// - Parameter isLarge: whether blocks with weighted pixels have twice the side.
    init(isLarge: Bool = false) {
        self.isLarge = isLarge
        differences.reserve((2 * Self.maximumReach + 1) * (2 * Self.maximumReach + 1))
    }

    /// Whether there are two images of one size.
    var isReady: Bool { image.width == last.width && image.height == last.height }

    /// Takes the next image.
    mutating func advance(to brightness: FloatImage) {
        swap(&image, &last)
        image.fill(brightness)
        (width, height) = (brightness.width, brightness.height)
        isWeighted = false
    }

    /// Weights pixels by their coverage in `mask`, of any size, which belongs to the image before.
    ///
    /// The edges of a mask move with the covered thing, whatever the background does.
    mutating func weigh(by mask: FloatImage) {
        weightRows.begin(mask, width: width, height: height)
        weights.fill(width: width, height: height) { row, bytes in
            let values = weightRows.row(row, of: mask)
            for x in 0..<width { bytes[x] = roundedByte(min(max(values[x], Self.minimumWeight), 1) * 255) }
        }
        isWeighted = true
    }

    /// Returns the sum of absolute differences between the block at `x`, `y` and the earlier block `start`
    /// pixels away.
    func difference(_ x: Int, _ y: Int, at start: SIMD2<Int> = .zero) -> Float {
        sums(x, y, around: start, reach: 0)
        return Float(differences.base[0])
    }

    /// Finds the block with the upper left corner `x`, `y` within `reach` pixels of `start`.
    func find(_ x: Int, _ y: Int, around start: SIMD2<Int> = .zero, reach: Int) -> Match {
        sums(x, y, around: start, reach: reach)
        let (least, offset) = minimum(reach)
        let line = 2 * reach + 1
        return Match(
            across: Float(start.x + offset.x) + vertex(least, step: 1, at: offset.x, reach),
            down: Float(start.y + offset.y) + vertex(least, step: line, at: offset.y, reach),
            difference: Float(least.pointee),
            isAtBorder: abs(offset.x) == reach || abs(offset.y) == reach)
    }

    private func sums(_ x: Int, _ y: Int, around start: SIMD2<Int>, reach: Int) {
        let (u, v) = (x + start.x, y + start.y)
        guard isWeighted else {
            return kernel_match_block(
                image.pixel(x, y), last.pixel(u, v), image.pitch, reach, differences.base)
        }
        let outside = isLarge ? Self.outside : 0
        kernel_match_weighted_block(
            image.pixel(x - outside, y - outside), last.pixel(u - outside, v - outside),
            weights.pixel(u - outside, v - outside), image.pitch, isLarge ? 1 : 0, reach, differences.base)
    }

    /// Returns the least sum, and its place relative to the centre of the search.
    private func minimum(_ reach: Int) -> (UnsafePointer<UInt16>, SIMD2<Int>) {
        var (place, offset, least) = (0, SIMD2<Int>.zero, Float.infinity)
        var index = 0
        for y in -reach...reach {
            for x in -reach...reach {
                let sum = Float(differences.base[index]) + Self.penalty(of: SIMD2(x, y))
                if sum < least { (place, offset, least) = (index, SIMD2(x, y), sum) }
                index += 1
            }
        }
        return (UnsafePointer(differences.base + place), offset)
    }

    /// Returns the offset of the vertex of the parabola through a sum and its two neighbours, at most half a
    /// pixel.
    private func vertex(_ sum: UnsafePointer<UInt16>, step: Int, at position: Int, _ reach: Int) -> Float {
        guard abs(position) < reach else { return 0 }
        let (before, here, after) = (Float(sum[-step]), Float(sum[0]), Float(sum[step]))
        let curvature = before + after - 2 * here
        guard curvature > 0 else { return 0 }
        // A shift by a fraction of a pixel leaves that fraction of the neighbours' differences; an image that
        // stands still leaves none.
        let most = min(2 * here / (before + after), 0.5)
        return min(max(0.5 * (before - after) / curvature, -most), most)
    }
}

/// Brightness in bytes, with a margin of repeated edges, so that blocks may begin outside.
private struct PaddedImage {
    private(set) var width = 0
    private(set) var height = 0
    /// Width of the margin in pixels on each side.
    private let margin: Int
    private let pixels = ScratchBuffer<UInt8>()

    init(margin: Int) { self.margin = margin }

    /// Number of pixels from one row to the next.
    var pitch: Int { width + 2 * margin }

    /// Returns the pixel at a place, which may lie in the margin.
    func pixel(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
        pixels.base + (y + margin) * pitch + x + margin
    }

    /// Copies an image's brightness, 0...1.
    mutating func fill(_ brightness: FloatImage) {
        fill(width: brightness.width, height: brightness.height) { row, bytes in
            let values = brightness.row(row)
            for x in 0..<brightness.width { bytes[x] = roundedByte(min(max(values[x] * 255, 0), 255)) }
        }
    }

    /// Copies an image, row by row.
    mutating func fill(
        width: Int, height: Int, _ write: (_ row: Int, _ bytes: UnsafeMutablePointer<UInt8>) -> Void
    ) {
        (self.width, self.height) = (width, height)
        pixels.reserve(pitch * (height + 2 * margin))
        for y in 0..<height {
            let row = pixel(0, y)
            write(y, row)
            for x in 1...margin { (row[-x], row[width - 1 + x]) = (row[0], row[width - 1]) }
        }
        let (top, bottom) = (pixel(-margin, 0), pixel(-margin, height - 1))
        for y in 1...margin {
            (top - y * pitch).update(from: top, count: pitch)
            (bottom + y * pitch).update(from: bottom, count: pitch)
        }
    }
}
