package import Imaging

/// Corrects mattes of pictures that MODNet does not understand as a whole, mostly groups, person by person.
///
/// MODNet looks at everyone in the foreground alone. Where two of matte, these looks and the small model's
/// close looks agree, that is the mask; elsewhere the matte stays as far as close looks confirm it.
package final class GroupMatter {
    /// Pixels of a look at one person.
    static let pixels = 150_000.0
    /// Height of people who are looked at, as a share of the tallest person's.
    private static let smallest = 0.5

    private let matter: CropMatter
    private let looks = FloatImage()
    private let seen = FloatImage()
    private let all = FloatImage()
    private let paste = FeatheredPaste()
    private let closeUpRows = LinearResizer()
    private let seenRows = LinearResizer()

    /// A corrector that looks through `matter`.
    package init(_ matter: CropMatter) {
        self.matter = matter
        all.resize(width: 1, height: 1)
        all.fill(1)
    }

    /// Corrects `mask` where there is somebody.
    ///
    /// - Parameter closeUps: the small model's close looks at everybody.
    package func correct(
        _ mask: FloatImage, _ crowd: Crowd, closeUps: FloatImage, _ image: ImageView,
        orientation: ImageOrientation
    ) throws(VisionError) {
        looks.resize(width: mask.width, height: mask.height)
        seen.resize(width: closeUps.width, height: closeUps.height)
        for grid in [looks, seen] { grid.fill(0) }
        let frame = orientation.uprightSize(of: Size(width: image.width, height: image.height))
        for person in crowd.people where person.stature >= Self.smallest {
            let box = person.box.grown(by: CloseUps.margin)
            let input = ModelInput(modnetFor: box.size(in: frame), pixels: Self.pixels)
            _ = try matter.add(
                box.widened(to: input.aspect(in: frame)), of: image, orientation: orientation, input: input,
                to: looks)
            paste.add(UnsafeBufferPointer(all.values), width: 1, height: 1, crop: box, to: seen)
        }
        vote(mask, closeUps)
    }

    /// Replaces each value of `mask` by the middle one of mask, look and close look, and by the smaller one
    /// of mask and close look where nobody was looked at.
    private func vote(_ mask: FloatImage, _ closeUps: FloatImage) {
        closeUpRows.begin(closeUps, width: mask.width, height: mask.height)
        seenRows.begin(seen, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            let (row, look) = (mask.row(y), looks.row(y))
            let (closeUp, seen) = (closeUpRows.row(y, of: closeUps), seenRows.row(y, of: seen))
            for x in 0..<mask.width {
                let person = LinearStep.selfie.value(closeUp[x])
                let (low, high) = (min(row[x], look[x]), max(row[x], look[x]))
                let (middle, elsewhere) = (max(low, min(high, person)), min(row[x], person))
                row[x] = elsewhere + (middle - elsewhere) * seen[x]
            }
        }
    }
}
