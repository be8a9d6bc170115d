import Framing
import Imaging
import Testing

/// The choice of those who are shown beside the one who is followed.
struct CompanyTests {
    private static let rate = 25.0

    /// Returns for each frame whether the other person belongs to the picture.
    ///
    /// - Parameters:
    ///   - first: the place of the one who is followed, by the time in seconds.
    ///   - other: that of the other person; nil where he or she is not seen.
    private func membership(
        seconds: Double, first: (Double) -> Double = { _ in 0.9 }, other: (Double) -> Double?,
        hasIDs: Bool = false
    ) -> [Bool] {
        var (company, noise) = (Company(), Noise())
        func person(_ x: Double, _ id: Int) -> FramedPerson {
            FramedPerson(
                id: hasIDs ? id : nil,
                head: Point(x: x + 0.0015 * noise.next(), y: 0.4 + 0.0015 * noise.next()), radius: 0.05)
        }
        return (0..<Int(seconds * Self.rate)).map { frame in
            let time = Double(frame) / Self.rate
            let others = other(time).map { [person($0, 2)] } ?? []
            let members = company.members(
                of: others, beside: person(first(time), 1), after: frame == 0 ? 0 : 1 / Self.rate)
            return members.count == 1
        }
    }

    @Test(arguments: [false, true]) func whoPassesByDoesNotBelong(_ hasIDs: Bool) {
        let passing = membership(seconds: 6, other: { $0 < 1 ? nil : 0.1 + 0.3 * ($0 - 1) }, hasIDs: hasIDs)
        #expect(!passing.contains(true))
    }

    @Test func whoComesAndStaysBelongs() {
        let coming = membership(seconds: 8) { $0 < 1 ? nil : 0.1 + 0.25 * min($0 - 1, 2) }
        // Not while he walks, and soon after the second in which he stays.
        #expect(!coming[..<75].contains(true))
        #expect(!coming[125...].contains(false))
    }

    @Test func whoIsThereAtFirstBelongsUntilHeGoes() {
        let sitting = membership(seconds: 4) { _ in 1.3 }
        #expect(!sitting.contains(false))
        let swaying = membership(seconds: 10) { 1.3 + 0.02 * (2 * $0).truncatingRemainder(dividingBy: 1) }
        #expect(!swaying.contains(false))
        let going = membership(seconds: 6) { 0.5 + 0.3 * max(0, $0 - 2) }
        #expect(!going[..<50].contains(false) && !going[100...].contains(true))
    }

    @Test func peopleWhoWalkTogetherBelongTogether() {
        let walking = membership(seconds: 6, first: { 0.2 + 0.2 * $0 }, other: { 0.45 + 0.2 * $0 })
        #expect(!walking.contains(false))
    }

    @Test func allBelongWhileNobodyIsFollowed() {
        var company = Company()
        let people = [FramedPerson(id: nil, head: Point(x: 0.5, y: 0.5), radius: 0.1)]
        for frame in 0..<100 {
            #expect(company.members(of: people, beside: nil, after: frame == 0 ? 0 : 0.04) == people)
        }
    }
}
