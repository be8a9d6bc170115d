import Imaging
import PeopleVision
import TestSupport
import Testing

struct GroupFusionTests {
    typealias Person = PersonPrior.Person

    /// A person of 40x40 in 60x50.
    private let person = FloatImage(60, 50) { x, y in (10..<50).contains(x) && y >= 10 ? 1 : 0 }
    private let nothing = FloatImage(60, 50)
    /// The person's upper four rows of 40.
    private let head = FloatImage(60, 50) { x, y in (10..<50).contains(x) && (10..<14).contains(y) ? 1 : 0 }

    /// Returns `mask` after its correction by a person, and the person's coverage.
    ///
    /// - Parameters:
    ///   - prior: The person's coarse coverage.
    ///   - object: The person's coverage by the other model.
    private func fuse(
        _ mask: FloatImage, prior: FloatImage, object: FloatImage
    ) -> (mask: FloatImage, coverage: FloatImage) {
        let fusion = GroupFusion(SegmentationPlan(.accurate, size: Size(width: 60, height: 50)))
        let person = Person(crop: .unit, person: TrackedPerson(box: .unit), coverage: prior)
        let result = FloatImage()
        result.copy(mask)
        fusion.correct(result, [person]) { _ in object }
        return (result, person.coverage)
    }

    @Test func addsAPersonMissingFromTheMask() throws {
        let fused = fuse(nothing, prior: nothing, object: person)
        #expect(distance(fused.mask.array, person.array) < 1e-5)
        #expect(distance(fused.coverage.array, person.array) < 1e-5)
    }

    @Test func removesAreasWronglyTakenForAPerson() throws {
        let fused = fuse(person, prior: nothing, object: nothing)
        #expect(fused.mask.array.allSatisfy { $0 < 1e-5 })
    }

    @Test func keepsTheMasksEdgesWhereBothModelsAgree() throws {
        let soft = FloatImage(60, 50) { x, y in x == 9 && y >= 10 ? 0.3 : person[x, y] }
        let fused = fuse(soft, prior: person, object: person)
        #expect(distance(fused.mask.array, soft.array) < 1e-5)
    }

    @Test func keepsABodyWhenTheOtherModelFindsOnlyTheHead() throws {
        let fused = fuse(person, prior: person, object: head)
        #expect(distance(fused.mask.array, person.array) < 1e-5)
        #expect(distance(fused.coverage.array, person.array) < 1e-5)
    }

    /// Dark clothes in front of other dark clothes, for example.
    @Test func aHoleThatMaskAndPriorDoNotHaveIsNotOpened() throws {
        let holed = FloatImage(60, 50) { x, y in
            (24..<36).contains(x) && (24..<36).contains(y) ? 0 : person[x, y]
        }
        #expect(distance(fuse(person, prior: person, object: holed).mask.array, person.array) < 1e-5)
        #expect(fuse(person, prior: holed, object: holed).mask[30, 30] == 0)
    }

    @Test func removesOutlinePiecesAbsentFromTheOtherModel() throws {
        let cut = FloatImage(60, 50) { x, y in x >= 44 && y < 40 ? 0 : person[x, y] }
        #expect(fuse(person, prior: person, object: cut).mask[47, 25] == 0)
    }

    @Test func keptPeopleStayUnchanged() {
        let fusion = GroupFusion(SegmentationPlan(.accurate, size: Size(width: 60, height: 50)))
        let mask = FloatImage()
        mask.copy(head)
        fusion.correct(mask, [Person(crop: .unit, coverage: person)]) { _ in nil }
        #expect(distance(mask.array, head.array) < 1e-5)
    }

    // MARK: - The definition

    private static let rules: Set<MaskRule> = [
        .outvoting, .closedHoles, .sharpFigure, .agreement,
    ]

    // Rules: outvoting, closed-holes, sharp-figure, agreement.
    @Test func equalsThePlainDefinition() {
        var generator = SeededGenerator(seed: 5)
        var needed: Set<MaskRule> = []
        for number in 0..<60 {
            let images = (0..<3).map { _ in figure(&generator) }
            // The other model often finds the lower part of a person only.
            let top = Int(generator.number(0...50))
            for y in 0..<top { images[2].row(y).update(repeating: 0, count: 60) }
            let (mask, prior, object) = (images[0], images[1], images[2])
            let coarse = FloatImage()
            coarse.copy(prior)
            let fused = fuse(mask, prior: prior, object: object)
            let expected = plain(mask, coarse, object, Self.rules)
            #expect(distance(fused.mask.array, expected.mask.array) < 1e-4, "\(number)")
            #expect(distance(fused.coverage.array, expected.coverage.array) < 1e-4, "\(number)")
            for rule in Self.rules {
                let others = Self.rules.subtracting([rule])
                let without = plain(mask, coarse, object, others)
                if distance(without.mask.array, expected.mask.array) > 0.1 { needed.insert(rule) }
            }
        }
        #expect(needed == Self.rules)
    }

    /// Returns the person with some rectangles of another value.
    private func figure(_ generator: inout SeededGenerator) -> FloatImage {
        let image = FloatImage()
        image.copy(person)
        for _ in 0..<Int(generator.number(0...4)) {
            let (left, top) = (Int(generator.number(0...50)), Int(generator.number(0...45)))
            let (width, height) = (Int(generator.number(4...25)), Int(generator.number(4...30)))
            let value = [0, 0, 0.5, 0.7, 1][Int(generator.number(0...4.99))] as Float
            for y in top..<min(top + height, 50) {
                for x in left..<min(left + width, 60) { image.row(y)[x] = value }
            }
        }
        return image
    }

    /// Returns the mask corrected by `object`, and the person's coverage, by some of the rules.
    private func plain(
        _ mask: FloatImage, _ prior: FloatImage, _ object: FloatImage, _ rules: Set<MaskRule>
    ) -> (mask: FloatImage, coverage: FloatImage) {
        let (width, height) = (mask.width, mask.height)
        let places = 0..<mask.count
        let shown = places.map {
            rules.contains(.sharpFigure) ? PlainMask.step(object.base[$0], 0.25, 0.775) : object.base[$0]
        }
        let agreed = places.map { min(mask.base[$0], prior.base[$0]) }
        let (sum, kept) = (agreed.reduce(0, +), places.reduce(Float(0)) { $0 + min(agreed[$1], shown[$1]) })
        let share = sum > 0.14 * Float(mask.count) ? kept / sum : 1
        let withAgreed = places.map { max(shown[$0], agreed[$0]) }
        let coverage = rules.contains(.outvoting) && share < 0.3 ? withAgreed : shown
        let difference = FloatImage(width, height) { x, y in abs(mask[x, y] - coverage[y * width + x]) }
        let result = FloatImage(width, height) { x, y in
            let trust = 1 - PlainMask.step(difference.mean(x, y, radius: 1), 0.1, 0.4)
            let own = coverage[y * width + x]
            return rules.contains(.agreement) ? own + trust * (mask[x, y] - own) : own
        }
        let closed = FloatImage(width, height)
        if rules.contains(.closedHoles) {
            let both = FloatImage(width, height) { x, y in agreed[y * width + x] }
            PlainMask.fillMissingRegions(of: result, both, Double(max(width, height)), in: closed)
        }
        return (
            FloatImage(width, height) { x, y in max(result[x, y], min(mask[x, y], closed[x, y])) },
            FloatImage(width, height) { x, y in coverage[y * width + x] }
        )
    }
}
