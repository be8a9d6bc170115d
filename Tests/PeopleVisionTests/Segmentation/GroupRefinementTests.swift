import Imaging
import PeopleVision
import Testing

struct GroupRefinementTests {
    /// Returns a person `height` of the frame high whose box ends at `end`.
    private func person(_ height: Double, end: Double = 1, isDetected: Bool = true) -> TrackedPerson {
        TrackedPerson(
            box: Rectangle(x: 0.3, y: end - height, width: 0.2, height: height), isDetected: isDetected)
    }

    private func areGroupOrSmall(_ people: TrackedPerson...) -> Bool {
        GroupChoice.areGroupOrSmall(people, certain: people)
    }

    // Rule: several.
    @Test func refinesGroups() {
        #expect(areGroupOrSmall(person(0.9), person(0.8)))
        #expect(areGroupOrSmall(person(0.9), person(0.41)))
        #expect(!areGroupOrSmall(person(0.9), person(0.39)))
    }

    // Rule: passers-by.
    /// Passers-by stand higher in the image than a whole figure in front of them.
    @Test func passersByBehindAPersonMakeNoGroup() {
        let model = person(0.9, end: 0.98)
        #expect(areGroupOrSmall(model, person(0.6, end: 0.9)))
        #expect(!areGroupOrSmall(model, person(0.6, end: 0.8)))
        // If the frame cuts the tallest person, it is unknown who stands behind.
        #expect(areGroupOrSmall(person(0.9), person(0.6, end: 0.8)))
        #expect(areGroupOrSmall(person(0.75, end: 0.9), person(0.5, end: 0.7)))
    }

    // Rule: whole-figures.
    /// In streams a group of portraits is left to the matting model.
    @Test func leavesGroupsWithoutAWholeFigureInStreams() {
        let (whole, cut) = (person(0.8, end: 0.95).box, person(0.8).box)
        #expect(GroupChoice.hasWholeFigure([cut, whole]))
        #expect(!GroupChoice.hasWholeFigure([cut, cut]))
        // A whole figure far behind them is not one of the group.
        #expect(!GroupChoice.hasWholeFigure([cut, person(0.2, end: 0.7).box]))
        #expect(MaskStep.ofStreams.contains(.wholeFigures) && !MaskStep.ofStreams.contains(.groups))
        #expect(MaskStep.ofStills.contains(.groups) && !MaskStep.ofStills.contains(.wholeFigures))
    }

    /// A false detection behind a portrait does not make it a group.
    @Test func uncertainPeopleMakeNoGroup() {
        let people = [person(0.9), person(0.8)]
        #expect(!GroupChoice.areGroupOrSmall(people, certain: people.prefix(1)))
        #expect(GroupChoice.areGroupOrSmall([person(0.4, end: 0.9), person(0.3)], certain: []))
    }

    // Rule: small-figure.
    @Test func refinesASinglePersonOnlyWhenSmallAndWhole() {
        #expect(areGroupOrSmall(person(0.7, end: 0.9)))
        #expect(!areGroupOrSmall(person(0.4)))
        #expect(!areGroupOrSmall(person(0.7)))
        #expect(!areGroupOrSmall(person(0.9, end: 0.95)))
        #expect(!areGroupOrSmall(person(0.7, end: 0.995)))
    }

    // Rule: small-figure.
    /// A box that ends at the neck of a man is no small figure.
    @Test func aHeadIsNoSmallFigure() {
        let people = [person(0.4, end: 0.9)]
        func isSmall(faceOf height: Double, x: Double = 0.35) -> Bool {
            let face = Rectangle(x: x, y: 0.55, width: 0.1, height: height)
            return GroupChoice.areGroupOrSmall(people, certain: people, faces: [face])
        }
        #expect(!isSmall(faceOf: 0.2))
        // The face of an infant, of a grown person, and one beside the box.
        #expect(isSmall(faceOf: 0.1))
        #expect(isSmall(faceOf: 0.05))
        #expect(isSmall(faceOf: 0.2, x: 0.6))
    }

    /// Whether one person of 0.5 x 0.7 of a frame is corrected because the models contradict each other.
    private func contradicts(_ width: Double, _ height: Double, missesLargePiece: Bool = true) -> Bool {
        let person = TrackedPerson(box: Rectangle(x: 0.2, y: 0.3, width: 0.5, height: 0.7))
        return GroupChoice.hasContradiction(
            [person], in: Size(width: width, height: height), missesLargePiece: missesLargePiece)
    }

    // Rule: contradiction.
    @Test func aLargePieceThatTheMatteMissesIsAContradiction() {
        #expect(contradicts(360, 640))
        #expect(!contradicts(360, 640, missesLargePiece: false))
        let frame = Size(width: 360, height: 640)
        #expect(!GroupChoice.hasContradiction([], in: frame, missesLargePiece: true))
    }

    // Rule: head-and-shoulders.
    @Test func headsWithShouldersContradictNothing() {
        #expect(!contradicts(640, 360))
        #expect(contradicts(700, 500))
    }

    @Test func ignoresPeopleWithoutADetection() {
        #expect(!areGroupOrSmall())
        #expect(!areGroupOrSmall(person(0.4, isDetected: false)))
    }
}
