import Imaging

/// Fills in people of whom the matte holds a half: MODNet does not understand them.
///
/// It knows portraits best and loses parts of people who sit, bend or are cut off. Where it sees nothing
/// at all it is mostly right that there is nobody.
final class MatteRescue {
    /// A person of whom the matte holds more than this is understood.
    private static let understood: Float = 0.65
    /// Below that the small model's mask comes in, wholly after this much.
    private static let slope: Float = 0.15
    /// Of anyone but the largest person the matte must hold something for the rest to come in.
    private static let trace = MaskTone(from: 0.1, to: 0.2)
    /// What fills more of the frame than this is as likely a background that looks like skin.
    private static let mostOfTheFrame: Float = 0.67
    /// How far a person's faint rim reaches, in the small model's pixels.
    private static let rim = 6

    private let extremum = MaskExtremum()
    private let weights = MaskGrid()
    private let small = MaskGrid()
    private let shrink = GridStretch()
    private let stretch = GridStretch()

    /// Raises `matte` where it holds a part of a person only.
    ///
    /// - Parameters:
    ///   - people: the small model's mask.
    ///   - parts: the parts of it.
    ///   - smallestArea: smaller parts are no people.
    func apply(to matte: MaskGrid, people: MaskGrid, parts: MaskParts, smallestArea: Int) {
        guard weigh(matte, people, parts, smallestArea) else { return }
        extremum.apply(to: weights, radius: Self.rim)
        small.copy(people, tone: .selfie)
        small.multiply(weights)
        stretch.begin(small, width: matte.width, height: matte.height)
        for y in 0..<matte.height { matte.raise(row: y, to: stretch.row(y, of: small)) }
    }

    /// Notes how much each person needs filling in; false when nobody does.
    private func weigh(
        _ matte: MaskGrid, _ people: MaskGrid, _ parts: MaskParts, _ smallestArea: Int
    ) -> Bool {
        small.resize(width: people.width, height: people.height)
        shrink.begin(matte, width: people.width, height: people.height)
        for y in 0..<people.height {
            small.row(y).update(from: shrink.row(y, of: matte), count: people.width)
        }
        parts.measure(small)
        weights.resize(width: people.width, height: people.height)
        weights.fill(0)
        let largest = parts.largestArea
        let mostArea = max(smallestArea, Int(Self.mostOfTheFrame * Float(people.count)))
        var any = false
        parts.paint(on: weights) { part in
            guard (smallestArea...mostArea).contains(part.area) else { return 0 }
            let weight = Self.weight(held: part.sum / Float(part.area), isLargest: part.area == largest)
            any = any || weight > 0
            return weight
        }
        return any
    }

    private static func weight(held: Float, isLargest: Bool) -> Float {
        let missing = min(max((understood - held) / slope, 0), 1)
        return isLargest ? missing : missing * trace.value(held)
    }
}
