package import Imaging

/// Fills in people of whom the matte holds a half: MODNet does not understand them.
///
/// It knows portraits best and loses people in groups, and parts of those who sit, bend or are cut off.
package final class MatteRescue {
    /// A person of whom the matte holds more than this is understood.
    private static let understood: Float = 0.65
    /// At and below this the close look comes in wholly.
    private static let lost: Float = 0.5
    /// Of people in the background the matte must hold something for the rest to come in.
    private static let trace = LinearStep(from: 0.1, to: 0.2)
    /// Height of people who are not in the background, as a share of the tallest person's.
    private static let foreground = 0.6

    private let held = FloatImage()
    private let filling = FloatImage()
    private let shrink = LinearResizer()
    private let stretch = LinearResizer()
    private var isNeeded = false

    /// Nobody to fill in yet.
    package init() {}

    /// Starts a matte, for people whose masks have the size of `extent`.
    package func begin(_ matte: FloatImage, _ extent: SegmentationPlan.Extent) {
        isNeeded = false
        for grid in [held, filling] { grid.resize(width: extent.width, height: extent.height) }
        filling.fill(0)
        shrink.resize(matte, into: held)
    }

    /// Takes note of how much the matte lacks of a person.
    ///
    /// - Parameters:
    ///   - mask: the person, as the small model gives it.
    ///   - stature: height as a share of the tallest person's.
    package func add(_ mask: FloatImage, stature: Double) {
        let weight = weight(of: mask, stature: stature)
        guard weight > 0 else { return }
        isNeeded = true
        for i in 0..<filling.count {
            filling.base[i] = max(filling.base[i], weight * LinearStep.selfie.value(mask.base[i]))
        }
    }

    /// Raises `matte` to all that it lacks.
    package func finish(_ matte: FloatImage) {
        guard isNeeded else { return }
        stretch.begin(filling, width: matte.width, height: matte.height)
        for y in 0..<matte.height { matte.raise(row: y, to: stretch.row(y, of: filling)) }
    }

    private func weight(of mask: FloatImage, stature: Double) -> Float {
        var (sum, area) = (Float(0), Float(0))
        for i in 0..<mask.count where LinearStep.selfie.value(mask.base[i]) > 0.5 {
            sum += held.base[i]
            area += 1
        }
        guard area > 0 else { return 0 }
        let missing = 1 - LinearStep(from: Self.lost, to: Self.understood).value(sum / area)
        return stature >= Self.foreground ? missing : missing * Self.trace.value(sum / area)
    }
}
