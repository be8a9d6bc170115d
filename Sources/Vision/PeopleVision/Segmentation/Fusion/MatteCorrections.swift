package import Imaging

/// Finds regions of people that a matte misses though the coarse prior is certain of them.
///
/// A missing piece is filled in if most of its outline is bounded by the people, or by the frame, beyond
/// which a body continues. It is also filled in if it has been in the masks for a while, since people lose no
/// large piece from one frame to the next. It must be wider than the gaps that the coarse model overlooks. A
/// piece with a part of a face is filled in whatever its outline, size and width, because two models
/// contradict the matte.
package final class MissingRegions {
    /// Minimum share of a missing region's outline that is bounded by the matte or by the frame's edge: a
    /// dark shirt before a dark wall.
    private static let bounded: Float = 0.7
    /// Minimum share of a detected face in a missing region that is filled in whatever its outline and
    /// size.
    ///
    /// With any overlap at all, fur and furniture behind a head that touch the face come in: MAE of
    /// five of 85 portraits grows from 3...30 to 12...61. On 40 of them 0.1 to 0.3 are equal.
    private static let partOfFace: Float = 0.1

    private let components = ConnectedComponents()
    private let morphology = MorphologyFilter()
    /// The certain coverage that the last matte misses, 0...1.
    private let missing = FloatImage()
    /// The pieces to be filled in.
    private let pieces = FloatImage()
    private let scratch = FloatImage()
    /// Whether a piece of the last matte was too large to be filled in: the coarse prior or the matte is
    /// wrong.
    package private(set) var hasLargePiece = false
    /// Largest area of a piece that may be filled in, in values.
    private var largest = 0

    /// Creates a finder without scratch memory.
    package init() {}

    /// Finds the pieces that a matte misses.
    ///
    /// - Parameter people: coarse coverage of all people, of the size of `matte`.
    package func find(in matte: FloatImage, people: FloatImage) {
        missing.resize(width: matte.width, height: matte.height)
        scratch.resize(width: matte.width, height: matte.height)
        let area = markMissing(matte, people)
        largest = Int(CoverageLimits.smallComponents.shareOfLargest * Double(area))
        components.find(in: missing, above: 0, reaching: 1 - CoverageLimits.certain.low)
        hasLargePiece = components.largestArea > largest
    }

    /// Whether the last matte misses nothing.
    package var isEmpty: Bool { components.isEmpty }

    /// Raises `floor` where a piece that was found in `matte` is to be filled in; all images have one size.
    ///
    /// - Parameters:
    ///   - history: the mean of the masks before; nil where a scene begins.
    ///   - faces: result of `FaceFinder`; nil where no face was searched for.
    package func add(
        to floor: FloatImage, _ matte: FloatImage, people: FloatImage, history: FloatImage? = nil,
        faces: FloatImage? = nil
    ) {
        guard !isEmpty else { return }
        pieces.copy(missing)
        balanceOutline(matte)
        if let history {
            components.measure(history)
            // With one frame before as the measure, an object that a person walks past stays in the masks.
            let minimum = MaskHistory.lasting.low
            components.paint(on: scratch) { $0.sum > minimum * Float($0.area) ? 0 : nil }
        }
        components.measure(scratch)
        let allowed = MaskRule.small.isOn ? largest : .max
        components.paint(on: pieces) { $0.sum >= 0 && $0.area > 0 && $0.area <= allowed ? 1 : 0 }
        scratch.copy(pieces)
        morphology.erode(
            scratch, radius: MaskRule.wide.isOn ? Int(CoverageLimits.outlineTolerance(of: matte)) : 0)
        components.measure(scratch)
        components.paint(on: pieces) { $0.sum > 0 ? nil : 0 }
        if let faces {
            components.measure(faces)
            components.paint(on: pieces) { $0.sum >= Self.partOfFace ? 1 : nil }
        }
        // A rim of one value closes the seam between the piece and the matte.
        morphology.dilate(pieces, radius: 1)
        let (filled, values, target) = (pieces.base, people.base, floor.base)
        let certain = CoverageLimits.certain
        for i in 0..<pieces.count { target[i] = max(target[i], filled[i] * certain.value(values[i])) }
    }

    /// Fills `missing` with the certain coverage that the matte misses, 0...1.
    ///
    /// - Returns: the people's area.
    private func markMissing(_ matte: FloatImage, _ people: FloatImage) -> Int {
        let (alpha, values, target) = (matte.base, people.base, missing.base)
        let certain = CoverageLimits.certain.high
        var area = 0
        for i in 0..<missing.count {
            let isMissing = values[i] >= certain && alpha[i] < certain
            target[i] = isMissing ? 1 - alpha[i] : 0
            area &+= values[i] > 0.5 ? 1 : 0
        }
        return area
    }

    /// Fills `scratch` with the contribution of each value of a piece to the balance of its outline.
    ///
    /// Sides towards people and the frame's edges count for the piece, the others against it.
    private func balanceOutline(_ matte: FloatImage) {
        scratch.fill(0)
        for y in 0..<missing.height {
            let (row, balance) = (missing.row(y), scratch.row(y))
            for x in 0..<missing.width where row[x] > 0 {
                let across = side(x - 1, y, matte) + side(x + 1, y, matte)
                balance[x] = across + side(x, y - 1, matte) + side(x, y + 1, matte)
            }
        }
    }

    private func side(_ x: Int, _ y: Int, _ matte: FloatImage) -> Float {
        guard x >= 0, y >= 0, x < missing.width, y < missing.height else { return 1 - Self.bounded }
        if missing.row(y)[x] > 0 { return 0 }
        return matte.row(y)[x] >= CoverageLimits.certain.high ? 1 - Self.bounded : -Self.bounded
    }
}
