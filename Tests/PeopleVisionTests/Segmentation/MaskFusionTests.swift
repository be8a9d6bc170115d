import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of the steps that join matte and coarse coverage.
struct MaskFusionTests {
    typealias Person = PersonPrior.Person

    /// Returns the mask of a frame as large as the matte.
    private func fuse(
        _ matte: FloatImage, _ people: [Person], frame: FloatImage? = nil, faces: FloatImage? = nil,
        isStill: Bool = false, foundFaces: [Rectangle] = []
    ) -> FloatImage {
        let plan = SegmentationPlan(.balanced, size: Size(width: matte.width, height: matte.height))
        return Fusion(plan).fuse(
            matte, people, frame: frame, faces: faces, isStill: isStill, foundFaces: foundFaces)
    }

    /// The masks of a stream, or of still images, whose pixels no step looks at.
    private final class Fusion {
        let comparison: MatteComparison
        private let maker: MaskMaker
        private let image = TestImage(.gray8, 8, 8)

        init(_ plan: SegmentationPlan) { (comparison, maker) = (MatteComparison(plan), MaskMaker(plan)) }

        /// Returns the mask of a frame, valid until the next one.
        func fuse(
            _ matte: FloatImage, _ people: [Person], frame: FloatImage? = nil, faces: FloatImage? = nil,
            isStill: Bool = false, foundFaces: [Rectangle] = []
        ) -> FloatImage {
            comparison.update(matte, people[...])
            var evidence = Evidence(
                of: InputFrame(image.view, isStill: isStill), matte: matte,
                coarse: frame ?? FloatImage(matte.width, matte.height), people: people[...],
                comparison: comparison, colors: FloatImage(), stillness: FloatImage(1, 1), smoothing: 0)
            (evidence.faces, evidence.faceShares) = (foundFaces, faces)
            let steps = (isStill ? MaskStep.ofStills : MaskStep.ofStreams).prefix {
                $0 != .groups && $0 != .wholeFigures
            }
            #expect(throws: Never.self) { try maker.make(from: evidence, by: Array(steps)) }
            return maker.mask
        }
    }

    // MARK: - A person of 40x40 in 60x60

    private let person = FloatImage(60, 60) { x, y in (10..<50).contains(x) && (10..<50).contains(y) ? 1 : 0 }

    /// Returns a matte with the person's upper `rows` rows of 40.
    private func matte(rows: Int) -> FloatImage {
        FloatImage(60, 60) { x, y in y < 10 + rows ? person[x, y] : 0 }
    }

    private func completed(
        rows: Int, isProminent: Bool = true, isStill: Bool = false, faces: [Rectangle] = []
    ) -> FloatImage {
        fuse(
            matte(rows: rows), [Person(crop: .unit, isProminent: isProminent, coverage: person)],
            isStill: isStill, foundFaces: faces)
    }

    @Test(arguments: [0, 4, 12, 20]) func addsAPersonMissingFromTheMatte(rows: Int) {
        #expect(distance(completed(rows: rows).array, person.array) < 1e-5)
    }

    @Test(arguments: [26, 32, 40]) func leavesTheMatteOfACoveredPersonUnchanged(rows: Int) {
        for isProminent in [true, false] {
            let mask = completed(rows: rows, isProminent: isProminent)
            #expect(distance(mask.array, matte(rows: rows).array) < 1e-5)
        }
    }

    @Test func addsAPartlyCoveredPersonByDegrees() {
        let covered = (20...26).map { completed(rows: $0)[30, 48] }
        #expect(covered == covered.sorted(by: >))
        #expect(covered.first == 1 && covered.last == 0 && covered[3] > 0.3 && covered[3] < 0.7)
        #expect(completed(rows: 23)[30, 12] == 1 && completed(rows: 23)[5, 48] == 0)
    }

    // Rule: whole-in-stills.
    @Test func stillsAddAPersonWhollyOrNotAtAll() {
        let covered = (20...26).map { completed(rows: $0, isStill: true)[30, 48] }
        #expect(covered == [1, 1, 1, 1, 0, 0, 0])
        #expect(completed(rows: 6, isProminent: false, isStill: true)[30, 48] == 1)
        #expect(completed(rows: 5, isProminent: false, isStill: true)[30, 48] == 0)
    }

    /// A square with its corner at (20, `top`) of 60x60, 10 values wide and high.
    private func face(top: Double) -> Rectangle {
        Rectangle(x: 20.0 / 60, y: top / 60, width: 10.0 / 60, height: 10.0 / 60)
    }

    // Rule: shown-face.
    @Test func aPersonWhoseFaceTheMatteShowsIsNotCompleted() {
        // The matte ends in row 22.
        for (top, isShown) in [(12.0, true), (16, true), (18, false), (30, false)] {
            let mask = completed(rows: 12, isStill: true, faces: [face(top: top)])
            let expected = isShown ? matte(rows: 12) : person
            #expect(distance(mask.array, expected.array) < 1e-5, "\(top)")
        }
    }

    @Test func oneOfSeveralFacesInTheMatteIsEnough() {
        let mask = completed(rows: 12, isStill: true, faces: [face(top: 30), face(top: 12)])
        #expect(distance(mask.array, matte(rows: 12).array) < 1e-5)
    }

    @Test func facesOfOthersDoNotCountForAPerson() {
        let crop = Rectangle(x: 0.5, y: 0, width: 0.5, height: 1)
        let lost = Person(crop: crop, coverage: FloatImage(16, 16) { _, _ in 1 })
        let mask = fuse(matte(rows: 40), [lost], isStill: true, foundFaces: [face(top: 12)])
        #expect(mask[59, 0] == 1)
        let far = Rectangle(x: -3, y: 5, width: 1, height: 1)
        #expect(fuse(matte(rows: 0), [lost], isStill: true, foundFaces: [far])[59, 0] == 1)
    }

    @Test(arguments: [(5, false), (10, false), (20, true), (30, true)])
    func reportsALargePieceMissingFromTheMatte(side: Int, isLarge: Bool) {
        let matte = FloatImage(60, 60) { x, y in
            (12..<(12 + side)).contains(x) && (12..<(12 + side)).contains(y) ? 0 : person[x, y]
        }
        let comparison = MatteComparison(SegmentationPlan(.balanced, size: Size(width: 60, height: 60)))
        comparison.update(matte, [Person(crop: .unit, coverage: person)])
        #expect(!comparison.missing.isEmpty)
        #expect(comparison.missing.hasLargePiece == isLarge)
        comparison.update(person, [Person(crop: .unit, coverage: person)])
        #expect(comparison.missing.isEmpty)
        #expect(!comparison.missing.hasLargePiece)
    }

    @Test func tellsOfWhomTheMatteShowsLeast() {
        let comparison = MatteComparison(SegmentationPlan(.balanced, size: Size(width: 60, height: 60)))
        let halves = [0, 0.5].map { Rectangle(x: $0, y: 0, width: 0.5, height: 1) }
        let people = halves.map { Person(crop: $0, coverage: FloatImage(16, 16) { _, _ in 1 }) }
        for (shown, lost) in [(60, nil), (24, 1), (50, 1), (58, nil)] {
            comparison.update(FloatImage(60, 60) { x, _ in x < shown ? 1 : 0 }, people[...])
            #expect(comparison.lostPerson(of: people[...]) == lost.map { halves[$0] }, "\(shown)")
        }
    }

    // Rule: trace.
    @Test func addsANonProminentPersonOnlyWithATraceInTheMatte() {
        for rows in [0, 4] {
            let mask = completed(rows: rows, isProminent: false)
            #expect(distance(mask.array, matte(rows: rows).array) < 1e-5)
        }
        #expect(distance(completed(rows: 8, isProminent: false).array, person.array) < 1e-5)
    }

    @Test func addsAPersonInThePlaceOfTheirCrop() {
        let crop = Rectangle(x: 0.5, y: 0, width: 0.5, height: 1)
        let lost = Person(crop: crop, coverage: FloatImage(16, 16) { _, _ in 1 })
        let mask = fuse(FloatImage(60, 50), [lost])
        #expect(mask[45, 25] == 1 && mask[59, 0] == 1)
        for y in 0..<50 { for x in 0..<30 { #expect(mask[x, y] == 0) } }
    }

    // MARK: - Areas without people

    @Test func clearsAreasFarFromAllPeople() {
        // A person, and a chair.
        let matte = FloatImage(200, 160) { x, y in
            (20..<80).contains(x) && y >= 40 || (120..<180).contains(x) && y >= 80 ? 1 : 0
        }
        let coverage = FloatImage(50, 40) { x, y in (5..<20).contains(x) && y >= 10 ? 1 : 0 }
        let mask = fuse(matte, [Person(crop: .unit, coverage: coverage)])
        let expected = FloatImage(200, 160) { x, y in x < 100 ? matte[x, y] : 0 }
        #expect(distance(mask.array, expected.array) < 1e-5)
    }

    @Test func hairReachesALittleBeyondTheCoarseCoverage() {
        let matte = FloatImage(200, 160) { _, _ in 0.7 }
        let coverage = FloatImage(200, 160) { x, _ in x < 100 ? 1 : 0 }
        let mask = fuse(matte, [Person(crop: .unit, coverage: coverage)])
        #expect(mask[102, 80] == 0.7 && mask[103, 80] == 0 && mask[50, 80] == 0.7)
    }

    @Test func keepsAreasOfCertainWholeFrameCoverage() {
        let matte = FloatImage(64, 48) { _, _ in 1 }
        let frame = FloatImage(64, 48) { x, _ in x < 32 ? 0.95 : 0.6 }
        let mask = fuse(matte, [], frame: frame)
        #expect(mask[10, 20] == 1 && mask[31, 20] == 1 && mask[34, 20] == 0)
    }

    @Test func anEmptyFrameHasAnEmptyMask() {
        let mask = fuse(FloatImage(64, 48) { _, _ in 1 }, [])
        #expect(mask.array.allSatisfy { $0 == 0 })
    }

    @Test func doesNotKeepPeopleOfThePreviousFrame() {
        let fusion = Fusion(SegmentationPlan(.balanced, size: Size(width: 60, height: 60)))
        #expect(fusion.fuse(person, [Person(crop: .unit, coverage: person)])[30, 30] == 1)
        #expect(fusion.fuse(person, []).array.allSatisfy { $0 == 0 })
    }

    // MARK: - Holes in a body of 120x140 at the lower edge of 240x200

    /// Returns a matte of the body without the places of `isMissing`, and the mask.
    private func filled(
        coarse: @escaping (Int, Int) -> Float = { _, _ in 1 }, missing isMissing: (Int, Int) -> Bool
    ) -> (matte: FloatImage, mask: FloatImage) {
        func isBody(_ x: Int, _ y: Int) -> Bool { (60..<180).contains(x) && y >= 60 }
        let coverage = FloatImage(240, 200) { x, y in isBody(x, y) ? coarse(x, y) : 0 }
        let matte = FloatImage(240, 200) { x, y in isBody(x, y) && !isMissing(x, y) ? 1 : 0 }
        return (matte, fuse(matte, [Person(crop: .unit, coverage: coverage)]))
    }

    private let whole = FloatImage(240, 200) { x, y in (60..<180).contains(x) && y >= 60 ? 1 : 0 }

    @Test func aHoleInADarkShirtIsFilled() {
        let (_, inside) = filled { x, y in (100..<124).contains(x) && (120..<140).contains(y) }
        #expect(distance(inside.array, whole.array) < 1e-5)
        let (_, atTheFramesEdge) = filled { x, y in (100..<124).contains(x) && y >= 184 }
        #expect(distance(atTheFramesEdge.array, whole.array) < 1e-5)
    }

    @Test func theGapBetweenArmAndBodyStays() {
        func isGap(_ x: Int, _ y: Int) -> Bool { (100..<112).contains(x) && (120..<140).contains(y) }
        let (matte, mask) = filled(coarse: { x, y in isGap(x, y) ? 0.3 : 1 }, missing: isGap)
        #expect(distance(mask.array, matte.array) < 1e-5)
    }

    // Rule: holes-inside.
    @Test func aGapNearTheOutlineStays() {
        let (matte, mask) = filled { x, y in (64..<70).contains(x) && (120..<140).contains(y) }
        #expect(distance(mask.array, matte.array) < 1e-5)
    }

    /// The piece has 1,710 of the people's 16,800 values.
    @Test func fillsALargePieceThatPeopleEnclose() {
        let (_, mask) = filled { x, y in (100..<130).contains(x) && (100..<157).contains(y) }
        #expect(distance(mask.array, whole.array) < 1e-5)
    }

    @Test func keepsHolesOpenToTheBackground() {
        let (matte, mask) = filled { x, y in (100..<106).contains(x) && y < 120 }
        #expect(distance(mask.array, matte.array) < 1e-5)
    }

    @Test func fillsPiecesCutOffByTheFrame() {
        let (matte, mask) = filled { x, y in (130..<180).contains(x) && y >= 172 }
        #expect(matte[150, 190] == 0)
        #expect(distance(mask.array, whole.array) < 1e-5)
    }

    @Test func keepsPiecesOpenOnMostSides() {
        let (matte, mask) = filled { x, y in (60..<70).contains(x) && (100..<190).contains(y) }
        #expect(distance(mask.array, matte.array) < 1e-5)
    }

    // MARK: - The definition

    // Rules: upper-bound, upper-frame, upper-tolerance, completion, missing, wide, holes, holes-inside.
    /// Frames range from one value to sizes larger than the bounds.
    @Test(arguments: [(1, 1), (1, 9), (33, 18), (70, 41), (134, 90), (5, 201), (700, 150)])
    func equalsThePlainDefinition(width: Int, height: Int) {
        var images = RandomImages(seed: 11)
        let plan = SegmentationPlan(.balanced, size: Size(width: width, height: height))
        let scale = min(1, 512 / Double(max(width, height)))
        let bounds = (
            max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded()))
        )
        let fusion = Fusion(plan)
        for (wide, high) in [(width, height), (width + 3, 2 * height), ((width + 1) / 2, height)] {
            let matte = images.random(wide, high)
            let people = [
                Person(crop: Rectangle(x: 0, y: 0, width: 0.6, height: 1), coverage: images.random(16, 16)),
                Person(
                    crop: Rectangle(x: 0.3, y: 0.2, width: 0.5, height: 0.6), isProminent: false,
                    coverage: images.random(9, 7)),
                // A solid person: holes are only found in these.
                Person(
                    crop: Rectangle(x: 0.5, y: 0, width: 0.5, height: 1),
                    coverage: FloatImage(16, 16) { _, _ in 1 }),
            ]
            for x in (wide / 2)..<wide {
                for y in 0..<high where (x / 3 + y / 2) % 5 > 0 { matte.row(y)[x] = 1 }
            }
            let frame = images.random(32, 32)
            let expected = plain(matte, people, frame, bounds)
            let mask = fusion.fuse(matte, people, frame: frame)
            #expect(distance(mask.array, expected.array) < 1e-4, "at \(wide)x\(high)")
        }
    }

    private func plain(
        _ matte: FloatImage, _ people: [Person], _ frame: FloatImage, _ bounds: (width: Int, height: Int)
    ) -> FloatImage {
        let (width, height) = bounds
        let side = Double(max(width, height))
        let (smallMatte, certain) = (matte.resized(width, height), frame.resized(width, height))
        let (union, lower) = (FloatImage(width, height), FloatImage(width, height))
        for person in people {
            let coverage = pasted(person, width, height)
            let outline = coverage.array.map { PlainMask.step($0, 0.1, 0.95) }
            let inside = outline.indices.filter { outline[$0] > 0.5 }
            let share = inside.map { smallMatte.base[$0] }.reduce(0, +) / Float(max(1, inside.count))
            let lost = inside.isEmpty ? 0 : 1 - PlainMask.step(share, 0.5, 0.65)
            let weight = person.isProminent ? lost : lost * PlainMask.step(share, 0.1, 0.2)
            for i in 0..<union.count {
                union.base[i] = max(union.base[i], coverage.base[i])
                lower.base[i] = max(lower.base[i], weight * coverage.base[i])
            }
        }
        PlainMask.fillMissingRegions(of: smallMatte, union, side, in: lower)
        let core = PlainMask.window(union, Int(2 * 0.015 * side)) { $0.min() }
        fillHoles(of: smallMatte, within: core, in: lower)
        let possible = FloatImage(width, height) { x, y in
            PlainMask.step(max(union[x, y], PlainMask.step(certain[x, y], 0.6, 0.95)), 0.1, 0.4)
        }
        let near = PlainMask.window(possible, Int(0.015 * side)) { $0.max() }
        let upper = near.resized(matte.width, matte.height)
        let floor = lower.resized(matte.width, matte.height)
        return FloatImage(matte.width, matte.height) { x, y in
            max(floor[x, y], min(upper[x, y], matte[x, y]))
        }
    }

    /// Returns a person's coverage in the whole frame, which fades at edges inside the frame.
    private func pasted(_ person: Person, _ width: Int, _ height: Int) -> FloatImage {
        let (coverage, crop) = (person.coverage, person.crop)
        func weight(_ position: Double, _ origin: Double, _ extent: Double) -> Double {
            let low = origin <= 0 ? 1 : position / 0.03
            let high = origin + extent >= 1 ? 1 : (1 - position) / 0.03
            return min(max(min(low, high), 0), 1)
        }
        return FloatImage(width, height) { x, y in
            let u = ((Double(x) + 0.5) / Double(width) - crop.x) / crop.width
            let v = ((Double(y) + 0.5) / Double(height) - crop.y) / crop.height
            let value = coverage.value(
                atX: u * Double(coverage.width) - 0.5, y: v * Double(coverage.height) - 0.5)
            return value * Float(weight(u, crop.x, crop.width) * weight(v, crop.y, crop.height))
        }
    }

    /// Raises `lower` to `core` in holes of the matte: at most 0.02 of the frame, and inside people.
    private func fillHoles(of matte: FloatImage, within core: FloatImage, in lower: FloatImage) {
        for hole in floodedRegions(matte.width, matte.height, { matte.base[$0] < 0.95 }) {
            let mean = hole.map { core.base[$0] }.reduce(0, +) / Float(hole.count)
            guard Double(hole.count) <= 0.02 * Double(matte.count), mean > 0.95 else { continue }
            for place in hole { lower.base[place] = max(lower.base[place], core.base[place]) }
        }
    }
}
