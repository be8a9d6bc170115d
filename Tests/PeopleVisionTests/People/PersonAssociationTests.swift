import Imaging
import PeopleVision
import Testing

/// Tests of the decision which parts belong to one person.
struct PersonAssociationTests {
    private var association = PersonAssociation()
    /// Labels 1 and 2 in the left and right half of the frame.
    private let labels: MaskMemory

    init() throws {
        labels = try #require(MaskMemory(format: .gray8, width: 64, height: 32))
        let row = (0..<64).map { Float($0 < 32 ? 1 : 2) / 255 }
        for y in 0..<32 { labels.mutableView.writeRow(y, from: row) }
    }

    private mutating func see(
        _ parts: [PersonPart], source: PersonPart.Kind = .body, labels: MaskMemory? = nil,
        after seconds: Double = 0.04
    ) -> [Int?] {
        association.assign(
            parts, source: source, labels: labels?.view, aspectRatio: 2, after: seconds)
        return association.people
    }

    /// Returns a body that stands at `x`, with the head at 0.2 of the height and the hands a little to either
    /// side.
    private func body(_ id: Int, at x: Double) -> PersonPart {
        let joints = HumanBodyPoseObservation.JointName.allCases.map { name in
            let place =
                switch name {
                case .nose, .leftEye, .rightEye, .leftEar, .rightEar: Point(x: x, y: 0.2)
                case .leftWrist: Point(x: x + 0.1, y: 0.6)
                case .rightWrist: Point(x: x - 0.1, y: 0.6)
                default: Point(x: x, y: 0.5)
                }
            return Joint(location: place, confidence: 0.9)
        }
        return PersonPart(
            .body, id: id, box: Rectangle(x: x - 0.1, y: 0.1, width: 0.2, height: 0.8), joints: joints)
    }

    private func face(_ id: Int, at x: Double) -> PersonPart {
        PersonPart(.face, id: id, box: Rectangle(x: x - 0.03, y: 0.14, width: 0.06, height: 0.12))
    }

    private func hand(_ id: Int, at x: Double) -> PersonPart {
        PersonPart(
            .hand, id: id, box: Rectangle(x: x - 0.03, y: 0.57, width: 0.06, height: 0.12),
            joints: [Joint(location: Point(x: x, y: 0.6), confidence: 0.9)])
    }

    private func outline(_ id: Int, label: Int) -> PersonPart {
        PersonPart(
            .outline, id: id, box: Rectangle(x: label == 1 ? 0 : 0.5, y: 0, width: 0.5, height: 1),
            label: label)
    }

    // MARK: - Single frames

    @Test mutating func partsGoToTheNearestBody() {
        let people = see([
            face(5, at: 0.7), face(6, at: 0.3), hand(1, at: 0.2), hand(2, at: 0.4), hand(3, at: 0.8),
            body(8, at: 0.3), body(9, at: 0.7),
        ])
        #expect(people == [9, 8, 8, 8, 9, 8, 9])
    }

    @Test mutating func partsGoToTheLabelThatShowsThem() {
        let people = see(
            [
                outline(3, label: 1), outline(4, label: 2), face(0, at: 0.3), hand(0, at: 0.6),
                body(7, at: 0.75),
            ],
            source: .outline, labels: labels)
        #expect(people == [3, 4, 3, 4, 4])
    }

    @Test mutating func outlinesArePartsOfBodies() {
        let people = see([body(7, at: 0.75), body(8, at: 0.25), outline(3, label: 1)], labels: labels)
        #expect(people == [7, 8, 8])
    }

    @Test mutating func partsFarFromEverybodyBelongToNobody() {
        #expect(see([body(0, at: 0.2), face(0, at: 0.9), hand(0, at: 0.6)]) == [0, nil, nil])
    }

    @Test mutating func aPersonHasOneFaceAndTwoHands() {
        let people = see([
            face(0, at: 0.3), face(1, at: 0.31), hand(0, at: 0.2), hand(1, at: 0.4), hand(2, at: 0.39),
            body(4, at: 0.3),
        ])
        #expect(people == [4, nil, 4, 4, nil, 4])
    }

    @Test mutating func assignsPartsOfNearPeopleByTheBestTotal() {
        // The second face is nearer to the first body than that body's own face.
        #expect(
            see([body(0, at: 0.3), body(1, at: 0.34), face(0, at: 0.27), face(1, at: 0.312)]) == [0, 1, 0, 1])
    }

    @Test mutating func usesTheBoxOfAPersonMissingFromTheMask() throws {
        let empty = try #require(MaskMemory(format: .gray8, width: 64, height: 32))
        let parts = [outline(3, label: 1), outline(4, label: 2), face(0, at: 0.3)]
        #expect(see(parts, source: .outline, labels: empty) == [3, 4, 3])
    }

    @Test mutating func anArmOverSomebodyElseIsTheBodysOwn() {
        // The label at the hand belongs to the second person.
        let parts = [
            outline(1, label: 1), outline(2, label: 2), body(0, at: 0.42), body(1, at: 0.9),
            hand(0, at: 0.52),
        ]
        #expect(see(parts, source: .outline, labels: labels) == [1, 2, 1, 2, 1])
    }

    // MARK: - Streams

    @Test mutating func partsStayWithTheirPersonWherePeopleMeet() {
        _ = see([body(0, at: 0.2), body(1, at: 0.4), face(0, at: 0.2), face(1, at: 0.4)])
        // Both bodies are found in the same place, each a little nearer to the other's face.
        for _ in 0..<20 {
            #expect(
                see([body(0, at: 0.305), body(1, at: 0.3), face(0, at: 0.3), face(1, at: 0.305)]) == [
                    0, 1, 0, 1,
                ])
        }
    }

    @Test mutating func aTrackThatGoesOverToAnotherPersonFollowsWithinThreeFrames() {
        _ = see([body(0, at: 0.3), body(1, at: 0.7), face(0, at: 0.3)])
        let after = (0..<3).map { _ in see([body(0, at: 0.3), body(1, at: 0.7), face(0, at: 0.7)])[2] }
        #expect(after == [0, 0, 1])
    }

    @Test mutating func aBodyOfTwoPeopleIsLeftOutWhereBothHaveOne() {
        let people = [outline(1, label: 1), outline(2, label: 2)]
        let owners = [0.3, 0.55, 0.55, 0.55, 0.55, 0.3].map { x in
            see(people + [body(7, at: x), body(8, at: 0.9)], source: .outline, labels: labels)[2]
        }
        // In the middle frames all joints but one wrist lie on the second person, who has another body.
        #expect(owners == [1, nil, nil, nil, nil, 1])
    }

    @Test mutating func aBodyThatJumpsToAnotherPersonIsTheirsAtOnce() {
        let people = [outline(1, label: 1), outline(2, label: 2)]
        let owners = [0.3, 0.3, 0.7, 0.3, 0.7, 0.7].map { x in
            see(people + [body(7, at: x)], source: .outline, labels: labels)[2]
        }
        #expect(owners == [1, 1, 2, 1, 2, 2])
    }

    @Test(arguments: [false, true])
    mutating func aBodyWhoseHeadHasTheWrongLabelFollowsTheFace(hasFace: Bool) throws {
        // The second person's label covers both heads.
        let late = try #require(MaskMemory(format: .gray8, width: 64, height: 32))
        for y in 0..<32 {
            late.mutableView.writeRow(y, from: (0..<64).map { Float($0 < 32 && y >= 10 ? 1 : 2) / 255 })
        }
        let people = [outline(1, label: 1), outline(2, label: 2)]
        let faces = hasFace ? [face(4, at: 0.2)] : []
        _ = see(people + faces, source: .outline, labels: labels)
        let whole = body(7, at: 0.2)
        let upper = PersonPart(
            .body, id: 7, box: whole.box,
            joints: zip(HumanBodyPoseObservation.JointName.allCases, whole.joints).map { name, joint in
                let isLower = [
                    .root, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
                ].contains(name)
                return Joint(location: joint.location, confidence: isLower ? 0.1 : joint.confidence)
            })
        let owners = see(people + [upper] + faces, source: .outline, labels: late)
        #expect(owners == (hasFace ? [1, 2, 1, 1] : [1, 2, 2]))
    }

    @Test mutating func aPersonLostByTheSourceKeepsTheirParts() {
        _ = see([body(0, at: 0.3), body(1, at: 0.7), face(4, at: 0.3), hand(2, at: 0.2)])
        for _ in 0..<100 {
            #expect(see([body(1, at: 0.7), face(4, at: 0.3), hand(2, at: 0.2)]) == [1, 0, 0])
        }
    }

    @Test mutating func aPersonFoundAgainKeepsTheFirstId() {
        _ = see([body(0, at: 0.3), face(4, at: 0.3)])
        _ = see([face(4, at: 0.35)])
        #expect(see([face(4, at: 0.4), body(5, at: 0.4)]) == [0, 0])
        #expect(see([body(5, at: 0.4)]) == [0])
        // Another person.
        #expect(see([body(5, at: 0.4), body(6, at: 0.7)]) == [0, 6])
    }

    @Test mutating func aPersonWithoutAnyVisiblePartIsForgotten() {
        _ = see([body(0, at: 0.3), face(4, at: 0.3)])
        _ = see([])
        #expect(see([body(5, at: 0.3), face(9, at: 0.3)]) == [5, 5])
    }

    @Test mutating func idsStayUniqueWhenTheSourceReusesOne() {
        _ = see([body(0, at: 0.3), face(4, at: 0.3)])
        _ = see([face(4, at: 0.3)])
        _ = see([face(4, at: 0.3), body(5, at: 0.3)])
        #expect(see([face(4, at: 0.3), body(5, at: 0.3), body(0, at: 0.8)]) == [0, 0, 5])
        #expect(see([face(4, at: 0.3), body(0, at: 0.8), body(5, at: 0.3)]) == [0, 5, 0])
    }

    @Test mutating func aResetRemovesAllPeople() {
        _ = see([body(0, at: 0.3), face(4, at: 0.3)])
        association.reset()
        #expect(see([face(4, at: 0.3)]) == [nil])
    }

    @Test mutating func partsWithUndefinedBoxesBelongToNobody() {
        let wild = PersonPart(.face, id: 0, box: Rectangle(x: .nan, y: .infinity, width: 0, height: -1))
        #expect(see([body(0, at: 0.3), wild]) == [0, nil])
        let none = PersonPart(.body, id: 1, box: wild.box)
        #expect(see([none, face(1, at: 0.2), hand(0, at: 0.3)], after: .nan) == [1, nil, nil])
    }
}
