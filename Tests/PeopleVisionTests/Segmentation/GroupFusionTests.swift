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
        _ mask: FloatImage, prior: FloatImage, object: FloatImage, box: Rectangle = .unit
    ) -> (mask: FloatImage, coverage: FloatImage) {
        let fusion = GroupFusion(SegmentationPlan(.accurate, size: Size(width: 60, height: 50)))
        let person = Person(crop: .unit, person: TrackedPerson(box: box), coverage: prior)
        let result = FloatImage()
        result.copy(mask)
        fusion.begin(result)
        fusion.correct(person, by: object)
        fusion.apply(to: result)
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

    /// The other model is the better one only for a whole figure.
    @Test func keepsTheUpperHalfOfAPersonCutOffByTheFrame() throws {
        let lower = FloatImage(60, 50) { x, y in y < 30 ? 0 : person[x, y] }
        #expect(fuse(person, prior: person, object: lower).mask[30, 15] == 1)
        let whole = Rectangle(x: 0, y: 0, width: 1, height: 0.9)
        #expect(fuse(person, prior: person, object: lower, box: whole).mask[30, 15] == 0)
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
        fusion.begin(mask)
        fusion.keep(Person(crop: .unit, coverage: person))
        fusion.apply(to: mask)
        #expect(distance(mask.array, head.array) < 1e-5)
    }
}
