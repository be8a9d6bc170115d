import Imaging
import PeopleVision
import TestSupport
import Testing

struct SubjectPartitionTests {
    /// An image with a wide part at the left, a small one at the right, and a speck between them.
    private let image = FloatImage(100, 60) { x, y in
        if (10..<40).contains(x), (10..<50).contains(y) { return 0.9 }
        if (70..<80).contains(x), (20..<40).contains(y) { return 0.7 }
        return x == 55 && y == 30 ? 1 : 0.1
    }

    private func partition(_ image: FloatImage) -> SubjectPartition {
        let (components, partition) = (
            ConnectedComponents(), SubjectPartition(width: image.width, height: image.height)
        )
        components.find(in: image, above: 0.5)
        components.measure(image)
        partition.divide(components)
        return partition
    }

    @Test func ordersSubjectsBySizeAndDropsSmallParts() throws {
        let subjects = partition(image).subjects
        try #require(subjects.count == 2)
        #expect(subjects[0].box == Rectangle(x: 0.1, y: 1.0 / 6, width: 0.3, height: 4.0 / 6))
        #expect(abs(subjects[0].confidence - 0.9) < 1e-4 && abs(subjects[1].confidence - 0.7) < 1e-4)
        #expect(abs(subjects[1].area - 200.0 / 6000) < 1e-9)
    }

    @Test func everyPlaceBelongsToTheNearest() {
        let partition = partition(image)
        for (x, owner) in [(0.05, 0), (0.3, 0), (0.5, 0), (0.6, 1), (0.75, 1), (0.99, 1)] {
            #expect(partition.isOwned(by: owner, x: x, y: 0.5), "\(x)")
        }
    }

    @Test func thePartsMakeUpTheMask() {
        let partition = partition(image)
        partition.assign([1, 0], count: 2)
        var images = RandomImages(seed: 4)
        let mask = images.random(150, 90)
        let parts = (0..<2).map { part in
            let image = FloatImage()
            partition.write(part: part, of: mask, into: image)
            return image
        }
        for i in 0..<mask.count {
            #expect(abs(parts[0].base[i] + parts[1].base[i] - mask.base[i]) < 1e-5)
        }
        // The small one is the first part now.
        #expect(abs(parts[0][112, 45] - mask[112, 45]) < 1e-6 && parts[1][112, 45] < 1e-6)
    }

    /// A part in which two people are becomes two subjects; a narrow gap between them goes to the nearest.
    @Test func groupsAreDividedAmongTheirPeople() throws {
        let partition = partition(image)
        let people = FloatImage(100, 60) { x, _ in x < 24 ? 0 : x < 28 ? -1 : x < 45 ? 2 : -1 }
        partition.divideGroups(of: 3, ownedAs: people, in: image)
        let subjects = partition.subjects
        try #require(subjects.count == 3)
        #expect(subjects[0].box == Rectangle(x: 0.1, y: 1.0 / 6, width: 0.16, height: 4.0 / 6))
        #expect(abs(subjects[2].area - 14.0 * 40 / 6000) < 1e-9 && abs(subjects[2].confidence - 0.9) < 1e-4)
        #expect(abs(subjects[1].area - 200.0 / 6000) < 1e-9)
        for (x, owner) in [(0.15, 0), (0.25, 0), (0.28, 2), (0.35, 2), (0.75, 1), (0.99, 1)] {
            #expect(partition.isOwned(by: owner, x: x, y: 0.5), "\(x)")
        }
    }

    /// A wide thing that touches a person is a subject by itself; in a stream both are one.
    @Test func thingsBesidePeopleAreSubjects() throws {
        let people = FloatImage(100, 60) { x, _ in x < 24 ? 0 : -1 }
        let still = partition(image)
        still.divideGroups(of: 1, ownedAs: people, in: image)
        try #require(still.subjects.count == 3)
        #expect(still.subjects[2].box == Rectangle(x: 0.24, y: 1.0 / 6, width: 0.16, height: 4.0 / 6))
        for (x, owner) in [(0.2, 0), (0.3, 2), (0.39, 2), (0.75, 1)] {
            #expect(still.isOwned(by: owner, x: x, y: 0.5), "\(x)")
        }
        let stream = partition(image)
        stream.divideGroups(of: 1, ownedAs: people, in: image, least: 2)
        #expect(stream.subjects.count == 2)
    }

    /// A person at a bus's wheel, or a hand of another person, is no subject of its own.
    @Test func whoIsHardlyThereMakesNoGroup() {
        let partition = partition(image)
        let before = partition.subjects
        let driver = FloatImage(100, 60) { x, y in (20..<28).contains(x) && (20..<30).contains(y) ? 0 : -1 }
        partition.divideGroups(of: 1, ownedAs: driver, in: image)
        #expect(partition.subjects == before)
        let hand = FloatImage(100, 60) { x, y in x < 39 ? 0 : y < 20 ? 1 : -1 }
        partition.divideGroups(of: 2, ownedAs: hand, in: image)
        #expect(partition.subjects == before)
        partition.divideGroups(of: 2, ownedAs: FloatImage(10, 10) { _, _ in 0 }, in: image)
        #expect(partition.subjects == before)
    }

    @Test func aSingleSubjectOwnsEveryPixel() {
        let partition = partition(FloatImage(30, 20) { x, _ in x < 10 ? 0.9 : 0 })
        #expect(partition.subjects.count == 1 && partition.owners.array.allSatisfy { $0 == 0 })
    }

    @Test func withoutSubjectsNoPixelHasAnOwner() {
        let partition = partition(FloatImage(20, 10) { _, _ in 0.2 })
        #expect(partition.subjects.isEmpty && partition.owners.array.allSatisfy { $0 == -1 })
    }
}
