package import Imaging

/// Chooses the people whose coverage MobileSAM corrects.
///
/// MobileSAM is better than MODNet on groups and on whole figures that fill little of the frame, and
/// worse on portraits, where it takes patterns behind a head for hair (error 5 to 23 on 20 portraits).
/// Chosen on everyday photos, with portraits and street photos kept as they are.
package enum GroupChoice {
    /// Prominence of a member of a group.
    ///
    /// Passers-by in the background of street photos are mostly lower. 0.3 gains 0.004 of IoU on large
    /// everyday people, and concerns 27 of 101 street photos instead of 8.
    private static let prominence = Prominence(share: 0.5)
    /// Height up to which a single person counts as small where the frame does not cut the legs off, as a
    /// share of the frame's.
    ///
    /// Portraits are cut, and models of street photos are taller.
    private static let whole = 0.8
    /// Maximum distance of a group member's feet above those of a whole figure taller than `whole`, as a
    /// share of the frame's height.
    ///
    /// People farther up are passers-by behind a model.
    private static let depth = 0.1

    /// Whether `people`, tallest first, are a group or one small person whose legs are not cut off.
    ///
    /// - Parameter certain: the people who may be members of a group.
    package static func areGroupOrSmall(
        _ people: [TrackedPerson], certain: some Sequence<TrackedPerson>
    ) -> Bool {
        guard let tallest = people.first, tallest.isDetected else { return false }
        if MaskRule.smallFigure.isOn, tallest.box.height < whole, isWhole(tallest.box) { return true }
        guard MaskRule.several.isOn else { return false }
        var count = 0
        for person in certain where isOfGroup(person.box, tallest: tallest.box) { count += 1 }
        return count > 1
    }

    /// Whether the person in `box` is in one group with the person in `tallest`.
    ///
    /// Such a person is nearly as tall, and not a passer-by behind a whole figure that fills the
    /// frame.
    static func isOfGroup(_ box: Rectangle, tallest: Rectangle) -> Bool {
        guard prominence.includes(box, tallest: tallest.height) else { return false }
        let isPosed = MaskRule.passersBy.isOn && tallest.height >= whole && isWhole(tallest)
        return !isPosed || box.y + box.height >= tallest.y + tallest.height - depth
    }

    /// Whether the frame does not cut off the legs of some member of a group.
    ///
    /// The matting model was trained on people who are cut off. On made-up clips of two or three portraits MobileSAM adds things
    /// behind them: MAE 8.7 without it, 21.7 with it. On those of whole figures it is 10.5 and 8.0.
    static func hasWholeFigure(_ people: ArraySlice<PersonPrior.Person>) -> Bool {
        hasWholeFigure(people.lazy.map(\.person.box))
    }

    /// Whether the frame does not cut off the legs of some member of a group; `boxes` are those of all people.
    package static func hasWholeFigure(_ boxes: some Sequence<Rectangle>) -> Bool {
        guard MaskRule.wholeFigures.isOn else { return true }
        let tallest = boxes.max { $0.height < $1.height } ?? .unit
        return boxes.contains { isWhole($0) && isOfGroup($0, tallest: tallest) }
    }

    /// Whether the models contradict each other in a still image of `people`, tallest first, of the size `frame`.
    ///
    /// - Parameter missesLargePiece: whether the matte misses a large piece of which the coarse coverage is certain.
    package static func hasContradiction(
        _ people: [TrackedPerson], in frame: Size, missesLargePiece: Bool
    ) -> Bool {
        guard MaskRule.contradiction.isOn, missesLargePiece, let tallest = people.first else { return false }
        return !tallest.box.isWiderThanHigh(in: frame) || !MaskRule.headAndShoulders.isOn
    }

    /// Whether the frame does not cut off the person's legs.
    static func isWhole(_ box: Rectangle) -> Bool { box.y + box.height < 1 - PersonSearch.cutMargin }
}

extension Rectangle {
    /// Whether the rectangle is wider than high in upright frames of the size `frame`, as the box of a head
    /// with its shoulders is.
    ///
    /// In such boxes the matting model is right where the coarse model disagrees.
    fileprivate func isWiderThanHigh(in frame: Size) -> Bool {
        let size = size(in: frame)
        return size.width > size.height
    }
}
