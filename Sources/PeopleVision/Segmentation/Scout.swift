package import Imaging

/// Looks at every whole frame with the small selfie model: who is where, and what has changed.
package final class Scout {
    /// Somewhere on a person the model is surer than this.
    static let certain: Float = 0.6
    /// All of a person is surer than this, in masks that are the result themselves.
    ///
    /// Heads turned away are often unsure. MODNet knows them without help.
    private static let possible: Float = 0.4
    /// A part smaller than this share of the largest part, and than `smallestPart`, is no person.
    private static let smallestShare = 0.1
    /// A share of the frame.
    private static let smallestPart = 0.02
    /// How far a person's faint rim may reach, as a share of the longer side.
    private static let rim = 1.0 / 40

    /// The people; at the model's size as the model gives them, or at half of it.
    let mask = FloatImage()
    /// Brightness of the picture that the model has seen, 0...1, at the model's size; for coarse masks only.
    let brightness = FloatImage()
    /// Brightness at half the model's size.
    let coarseBrightness = FloatImage()
    /// Where the picture stands still.
    let stillness: StillnessMap
    /// The people's parts.
    let parts = ConnectedComponents()

    private let model: SegmentationModel
    private let isCoarse: Bool
    private let colors = FloatImage()

    /// Loads the model; `isCoarse` asks for a mask of half its size.
    package init(
        _ input: ModelInput, isCoarse: Bool = false, _ setup: ModelSetup
    ) throws(VisionError) {
        model = try SegmentationModel(input, setup)
        self.isCoarse = isCoarse
        stillness = StillnessMap(planes: isCoarse ? 1 : 3)
        mask.resize(width: input.width, height: input.height)
        brightness.resize(width: input.width, height: input.height)
        colors.resize(width: input.width, height: 3 * input.height)
    }

    /// Looks at the next frame.
    ///
    /// - Returns: true when it continues the last, false when it shows another scene.
    package func look(at image: ImageView, orientation: ImageOrientation) throws(VisionError) -> Bool {
        try model.image.sample(image, region: .orientation(orientation))
        let follows = compare()
        try model.image.infer()
        let found = try model.coverage()
        if isCoarse {
            mask.copy(halfOf: found, width: brightness.width, height: brightness.height)
        } else {
            mask.copy(found)
        }
        dropStrays()
        return follows
    }

    /// Compares the picture with the one before.
    private func compare() -> Bool {
        let picture = UnsafeBufferPointer(model.image.input)
        guard isCoarse else {
            colors.fill(planesOf: picture)
            return stillness.update(colors)
        }
        brightness.fill(brightnessOf: picture)
        coarseBrightness.copy(halfOf: brightness)
        return stillness.update(coarseBrightness)
    }

    /// The next frame does not follow the last.
    func reset() { stillness.reset() }

    /// Pixels that a part needs to be a person, beside a part of `largest` in a mask of `count`.
    static func smallestArea(_ largest: Int, of count: Int) -> Int {
        let share = min(smallestShare * Double(largest), smallestPart * Double(count))
        return max(1, Int(share.rounded(.up)))
    }

    /// Pixels that a part of the mask needs to be a person.
    var smallestArea: Int { Self.smallestArea(parts.largestArea, of: mask.count) }

    /// Clears what is no person: faint parts and specks.
    private func dropStrays() {
        parts.find(in: mask, above: isCoarse ? Self.possible : Self.certain, reaching: Self.certain)
        let smallest = smallestArea
        let rim = Int((Self.rim * Double(max(mask.width, mask.height))).rounded())
        parts.keep(distance: rim, in: mask) { $0.area >= smallest }
    }
}
