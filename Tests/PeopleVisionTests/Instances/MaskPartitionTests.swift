import Imaging
import PeopleVision
import TestSupport
import Testing

struct MaskPartitionTests {
    typealias Person = PersonPrior.Person

    /// Returns a person who fills their box, with a crop that is a tenth larger on every side.
    private func person(_ box: Rectangle, _ coverage: FloatImage? = nil) -> Person {
        let crop = Rectangle(
            x: box.x - 0.1 * box.width, y: box.y - 0.1 * box.height, width: 1.2 * box.width,
            height: 1.2 * box.height)
        let solid = FloatImage(24, 24) { x, y in (2..<22).contains(x) && (2..<22).contains(y) ? 1 : 0 }
        return Person(crop: crop, person: TrackedPerson(box: box), coverage: coverage ?? solid)
    }

    private func partition(_ width: Int, _ height: Int) -> MaskPartition {
        MaskPartition(SegmentationPlan(.balanced, size: Size(width: width, height: height)))
    }

    /// Two people whose boxes overlap by half.
    private var pair: [Person] {
        [0.1, 0.3].map { person(Rectangle(x: $0, y: 0.1, width: 0.4, height: 0.9)) }
    }

    private func parts(_ partition: MaskPartition, _ mask: FloatImage, _ count: Int) -> [FloatImage] {
        (0..<count).map { part in
            let image = FloatImage()
            partition.write(part: part, of: mask, into: image)
            return image
        }
    }

    @Test func partsMakeUpTheMaskAgain() {
        var images = RandomImages(seed: 5)
        let partition = partition(120, 80)
        for _ in 0..<3 {
            let mask = images.random(120, 80)
            partition.divide(mask, among: pair[...])
            partition.assign([0, 1], count: 2)
            let parts = parts(partition, mask, 2)
            // Within reach of the people.
            for y in 12..<80 {
                for x in 14..<82 { #expect(abs(parts[0][x, y] + parts[1][x, y] - mask[x, y]) < 1e-5) }
            }
        }
    }

    @Test func sharedAreaGoesToTheNearerPerson() {
        let (partition, mask) = (partition(120, 80), FloatImage(120, 80) { _, _ in 1 })
        partition.divide(mask, among: pair[...])
        partition.assign([0, 1], count: 2)
        let (labels, scratch) = (FloatImage(), FloatImage())
        partition.writeLabels(count: 2, of: mask, into: labels, scratch)
        // The point between the centres of the boxes is at 0.4 of 120.
        #expect((labels[44, 50] * 255).rounded() == 1 && (labels[52, 50] * 255).rounded() == 2)
        #expect(labels[118, 50] == 0 && labels[6, 50] > 0)
    }

    @Test func onlySoftEdgesAreShared() {
        let (partition, mask) = (partition(120, 80), FloatImage(120, 80) { _, _ in 1 })
        partition.divide(mask, among: pair[...])
        partition.assign([0, 1], count: 2)
        let first = parts(partition, mask, 2)[0]
        let shared = (0..<120).filter {
            first[$0, 50] > 0.01 && first[$0, 50] < 0.99 && (20..<80).contains($0)
        }
        #expect((1...4).contains(shared.count))
    }

    @Test func areasFarFromEverybodyBelongToNobody() {
        let (partition, mask) = (partition(100, 100), FloatImage(100, 100) { _, _ in 1 })
        partition.divide(mask, among: [person(Rectangle(x: 0.3, y: 0.3, width: 0.2, height: 0.4))][...])
        partition.assign([0], count: 1)
        let part = parts(partition, mask, 1)[0]
        #expect(part[40, 50] > 0.999 && part[51, 50] > 0.999 && part[60, 50] == 0 && part[40, 90] == 0)
    }

    /// A bag beside somebody who stands is wider than a fifth of that person.
    @Test func whatSomebodyHoldsIsNotCutBesideANarrowBox() {
        let (partition, mask) = (partition(100, 100), FloatImage(100, 100) { _, _ in 1 })
        partition.divide(mask, among: [person(Rectangle(x: 0.4, y: 0.1, width: 0.2, height: 0.8))][...])
        // The box ends at 0.6, and is 0.8 high.
        #expect(partition.isOwned(by: 0, x: 0.74, y: 0.5) && !partition.isOwned(by: 0, x: 0.78, y: 0.5))
    }

    /// Among subjects a person's coverage counts up to the end of the crop: nothing is cut along the box.
    @Test func subjectsAreNotCutAlongTheirBoxes() {
        let mask = FloatImage(100, 100) { _, _ in 1 }
        let whole = FloatImage(24, 24) { _, _ in 1 }
        let people = [person(Rectangle(x: 0.2, y: 0.2, width: 0.5, height: 0.5), whole)]
        let ofSubjects = MaskPartition(width: 100, height: 100)
        for (partition, isWhole) in [(partition(100, 100), false), (ofSubjects, true)] {
            partition.divide(mask, among: people[...])
            partition.keepCoveredPlaces()
            #expect(partition.isOwned(by: 0, x: 0.69, y: 0.4))
            // The box ends at 0.7, the crop at 0.75.
            #expect(partition.isOwned(by: 0, x: 0.725, y: 0.4) == isWhole)
            #expect(!partition.isOwned(by: 0, x: 0.77, y: 0.4))
        }
    }

    @Test func completesAPersonPartlyMissingFromTheMask() {
        let partition = partition(120, 80)
        let mask = FloatImage(120, 80) { x, _ in x < 46 ? 1 : 0 }
        partition.divide(mask, among: pair[...])
        // The left person is covered, and a quarter of the right one.
        #expect(mask[75, 50] == 1 && mask[110, 50] == 0)
        #expect(partition.area(ofPerson: 0) > 0 && partition.area(ofPerson: 1) > 0)
    }

    @Test func leavesTheMaskOfACoveredPersonUnchanged() {
        let partition = partition(120, 80)
        let mask = FloatImage(120, 80) { x, y in (12..<60).contains(x) && (9..<80).contains(y) ? 0.97 : 0 }
        let before = mask.array
        partition.divide(mask, among: pair[..<1])
        #expect(mask.array == before)
    }

    @Test func withoutPeopleThereIsNoPart() {
        let (partition, mask) = (partition(60, 40), FloatImage(60, 40) { _, _ in 1 })
        partition.divide(mask, among: [])
        partition.assign([], count: 0)
        let (labels, scratch) = (FloatImage(), FloatImage())
        partition.writeLabels(count: 0, of: mask, into: labels, scratch)
        #expect(labels.array.allSatisfy { $0 == 0 })
        partition.write(part: 0, of: mask, into: labels)
        #expect(labels.array.allSatisfy { $0 == 0 })
    }

    /// The owner of each value is the one of the definition.
    @Test(arguments: [(1, 1), (64, 36), (37, 90)]) func equalsThePlainDefinition(width: Int, height: Int) {
        var images = RandomImages(seed: 7)
        let partition = partition(width, height)
        let boxes = [
            Rectangle(x: 0, y: 0, width: 0.6, height: 1), Rectangle(x: 0.3, y: 0.2, width: 0.5, height: 0.6),
            Rectangle(x: 0.5, y: 0.1, width: 0.5, height: 0.9),
        ]
        let people = boxes.map { person($0, images.random(13, 17)) }
        partition.divide(FloatImage(width, height) { _, _ in 1 }, among: people[...])
        for y in 0..<height {
            for x in 0..<width {
                let fits = people.map { fit($0, x, y, width, height) }
                let best = fits.max() ?? 0
                for (number, fit) in fits.enumerated() where best - fit > 1e-4 || fit == 0 {
                    let (u, v) = ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
                    #expect(!partition.isOwned(by: number, x: u, y: v))
                }
            }
        }
    }

    private func fit(_ person: Person, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Float {
        let pasted = FloatImage(width, height)
        FeatheredPaste().add(
            UnsafeBufferPointer(person.coverage.values), width: person.coverage.width,
            height: person.coverage.height, crop: person.crop, to: pasted)
        let box = person.person.box
        func axis(_ index: Int, _ count: Int, _ start: Double, _ extent: Double) -> (
            beyond: Float, off: Float
        ) {
            let position = (Double(index) + 0.5) / Double(count)
            let beyond = max(0, max(start - position, position - start - extent)) / extent
            let off = 2 * (position - start - extent / 2) / extent
            return (Float(beyond), Float(off * off))
        }
        let across = axis(x, width, box.x, box.width)
        let down = axis(y, height, box.y, box.height)
        let beyond = max(across.beyond, down.beyond)
        let covered = min(max((pasted[x, y] * max(0, 1 - beyond / 0.05) - 0.1) / 0.8, 0), 1)
        let (wide, high) = (Float(box.width) * Float(width), Float(box.height) * Float(height))
        let share = max(across.beyond * wide, down.beyond * high) / max(wide, high)
        return (covered + 1e-4 * max(0, 1 - share / 0.2)) / (1 + across.off + down.off)
    }
}
