package import Imaging

/// Finds pieces of people that a matte lacks though the coarse prior is certain of them.
///
/// A piece is bounded by the people for the most part, or by the frame, beyond which a body goes on, and it is wider
/// than the gaps that the coarse model overlooks.
package final class LostPieces {
    private let profile: QualityProfile
    private let components = ConnectedComponents()
    private let morphology = MorphologyFilter()
    private let lack = FloatImage()
    private let scratch = FloatImage()

    /// A finder without scratch memory yet.
    package init(_ profile: QualityProfile) { self.profile = profile }

    /// Raises `floor` where a piece is to be filled in; all images have one size.
    ///
    /// - Parameters:
    ///   - held: the matte.
    ///   - people: coarse coverage of all people.
    package func add(to floor: FloatImage, held: FloatImage, people: FloatImage) {
        for image in [lack, scratch] { image.resize(width: held.width, height: held.height) }
        let area = markLack(held, people)
        components.find(in: lack, above: 0, reaching: 1 - profile.coverage.certain.low)
        guard components.largestArea > 0 else { return }
        let largest = Int(profile.specks.shareOfLargest * Double(area))
        balanceOutline(held)
        components.measure(scratch)
        components.paint(on: lack) { $0.sum >= 0 && $0.area > 0 && $0.area <= largest ? 1 : 0 }
        scratch.copy(lack)
        morphology.erode(scratch, radius: Int(profile.rim(of: held)))
        components.measure(scratch)
        components.paint(on: lack) { $0.sum > 0 ? nil : 0 }
        // A rim of one value closes the seam to what the matte holds.
        morphology.dilate(lack, radius: 1)
        let (pieces, values, target) = (lack.base, people.base, floor.base)
        let certain = profile.coverage.certain
        for i in 0..<lack.count { target[i] = max(target[i], pieces[i] * certain.value(values[i])) }
    }

    /// Makes `lack` what the matte lacks of certain coverage, 0...1.
    ///
    /// - Returns: the people's area.
    private func markLack(_ held: FloatImage, _ people: FloatImage) -> Int {
        let (matte, values, target) = (held.base, people.base, lack.base)
        let certain = profile.coverage.certain.high
        var area = 0
        for i in 0..<lack.count {
            let isLacking = values[i] >= certain && matte[i] < certain
            target[i] = isLacking ? 1 - matte[i] : 0
            area &+= values[i] > 0.5 ? 1 : 0
        }
        return area
    }

    /// Fills `scratch` with what each value of a piece adds to the balance of its outline: sides towards people and
    /// the frame's edges for it, the others against.
    private func balanceOutline(_ held: FloatImage) {
        scratch.fill(0)
        for y in 0..<lack.height {
            let (row, balance) = (lack.row(y), scratch.row(y))
            for x in 0..<lack.width where row[x] > 0 {
                balance[x] =
                    side(x - 1, y, held) + side(x + 1, y, held) + side(x, y - 1, held) + side(x, y + 1, held)
            }
        }
    }

    private func side(_ x: Int, _ y: Int, _ held: FloatImage) -> Float {
        let bounded = profile.fusion.bounded
        guard x >= 0, y >= 0, x < lack.width, y < lack.height else { return 1 - bounded }
        if lack.row(y)[x] > 0 { return 0 }
        return held.row(y)[x] >= profile.coverage.certain.high ? 1 - bounded : -bounded
    }
}
