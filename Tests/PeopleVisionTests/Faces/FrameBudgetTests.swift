import PeopleVision
import Testing

struct FrameBudgetTests {
    @Test func neverSpendsMoreThanTheBudget() {
        var budget = FrameBudget(following: 3, .liteLandmarks)
        let before = budget.left
        var spent = 0.0
        while budget.spend(.near) { spent += FrameBudget.Work.near.rawValue }
        #expect(spent > 0)
        #expect(abs(before - spent - budget.left) < 1e-9)
        #expect(budget.left >= 0)
    }

    /// Following three faces and searching take 12 ms at most.
    @Test func theBudgetHasRoomBesideThreeFaces() {
        let following = 3 * FrameBudget.Work.liteLandmarks.rawValue
        #expect(following + FrameBudget(following: 3, .liteLandmarks).left <= 12)
    }

    @Test func thereIsAlwaysRoomForOnePieceOfWork() {
        for work in [FrameBudget.Work.liteLandmarks, .landmarks, .near, .far] {
            var budget = FrameBudget(following: 16, .landmarks)
            let isSpent = budget.spend(work)
            #expect(isSpent, "\(work)")
        }
    }
}
