import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of instance masks without GStreamer.
struct GeneratePersonInstanceMaskRequestTests {
    typealias Request = GeneratePersonInstanceMaskRequest

    private func request(_ most: Int = 4, _ overflow: InstanceOverflow = .merge) -> Request {
        let request = Request()
        request.segmentation.qualityLevel = .fast
        request.segmentation.outputPixelFormat = .f32
        request.segmentation.modelPath = Checkout.models.path
        (request.maximumInstances, request.overflow) = (most, overflow)
        return request
    }

    private func perform(
        _ request: Request, _ photo: Photo, _ orientation: ImageOrientation = .up, isStill: Bool = true
    ) throws -> InstanceMaskObservation {
        let image = photo.image
        return try request.perform(on: InputFrame(image.view, orientation: orientation, isStill: isStill))
    }

    /// Returns the labels at the faces, which lie at 0.43 of each portrait.
    private func labels(_ found: InstanceMaskObservation, of count: Int) -> [Int] {
        (0..<count).map { found.instance(at: Point(x: (Double($0) + 0.43) / Double(count), y: 0.25)) }
    }

    @Test func tellsPeopleApart() throws {
        let found = try perform(request(), .row(of: 3))
        #expect(found.instances.count == 3 && found.crowdLabel == nil && found.totalCount == 3)
        #expect(found.allInstances == [1, 2, 3] && found.instances.map(\.label) == [1, 2, 3])
        #expect(Set(labels(found, of: 3)) == [1, 2, 3])
        #expect(Set(found.instances.map(\.id)).count == 3)
        #expect(found.instance(at: Point(x: 0.28, y: 0.02)) == 0)
        for point in [Point(x: -0.1, y: 0.5), Point(x: 1, y: 0.5), Point(x: .nan, y: 0)] {
            #expect(found.instance(at: point) == 0)
        }
        for person in found.instances {
            let box = person.boundingBox
            #expect(found.instance(at: box.center) == person.label && person.confidence > 0.4)
            #expect(found.instance(id: person.id) == person)
        }
    }

    @Test func theMasksTogetherAreTheMaskOfAll() throws {
        let found = try perform(request(), .row(of: 3))
        let masks = try found.allInstances.map { try #require(found.mask(for: [$0])).values }
        let all = try #require(found.mask(for: found.allInstances)).values
        for (index, value) in found.mask.values.enumerated() {
            let sum = masks.reduce(0) { $0 + $1[index] }
            #expect(abs(sum - all[index]) < 1e-4 && sum <= value + 1e-4, "\(sum) of \(value) at \(index)")
        }
        let covered = (sum: all.reduce(0, +), of: found.mask.values.reduce(0, +))
        #expect(covered.sum > 0.99 * covered.of)
    }

    @Test(arguments: InstanceOverflow.allCases)
    func peopleBeyondTheMaximumAreMergedOrLeftOut(_ overflow: InstanceOverflow) throws {
        let found = try perform(request(2, overflow), .row(of: 3))
        #expect(found.instances.count == 2 && found.totalCount == 3)
        let (seen, merged) = (Set(labels(found, of: 3)), overflow == .merge)
        #expect(found.crowdLabel == (merged ? 3 : nil))
        #expect(seen == (merged ? [1, 2, 3] : [0, 1, 2]))
        #expect(found.allInstances.count == (merged ? 3 : 2))
    }

    @Test func cropsToTheExtentOfSomePeople() throws {
        let found = try perform(request(), .row(of: 3))
        let first = labels(found, of: 3)[0]
        let extent = try #require(found.extent(of: [first], width: 768, height: 256))
        #expect(extent.x < 40 && extent.x + extent.width < 300 && extent.height > 200)
        let cut = try #require(
            found.mask(for: [first], size: (768, 256), croppedToInstancesExtent: true))
        #expect(cut.view.width == extent.width && cut.view.height == extent.height)
        let whole = try #require(found.mask(for: [first], size: (768, 256)))
        let (x, y) = (extent.width / 2, extent.height / 2)
        let (inside, same) = (
            cut.values[y * extent.width + x], whole.values[(extent.y + y) * 768 + extent.x + x]
        )
        #expect(abs(inside - same) < 1e-4)
        #expect(found.mask(for: [9], croppedToInstancesExtent: true) == nil)
        #expect(found.mask(for: [9])?.values.allSatisfy { $0 == 0 } == true)
        #expect(found.mask(for: [1], size: (0, 5)) == nil)
    }

    @Test func turnedImagesHaveTurnedMasks() throws {
        let upright = try perform(request(), .row(of: 2))
        let turned = try Photo.row(of: 2).rotatedByQuarter()
        let found = try perform(request(), turned, .left)
        #expect(found.labels.view.width == upright.labels.view.height)
        #expect(found.instances.count == 2)
        // A quarter turn clockwise: (x, y) goes to (1 - y, x).
        for x in [0.215, 0.715] {
            let label = found.instance(at: Point(x: 1 - 0.25, y: x))
            #expect(label == upright.instance(at: Point(x: x, y: 0.25)) && label > 0)
            let box = try #require(found.instances.first { $0.label == label }).boundingBox
            #expect(box.y < x && x < box.y + box.height)
        }
    }

    @Test func idsStayInAStreamAndEndWithIt() throws {
        let request = request()
        let first = try perform(request, .row(of: 2), isStill: false)
        #expect(try perform(request, .row(of: 2), isStill: false).instances == first.instances)
        request.reset()
        let next = try perform(request, .row(of: 2), isStill: false)
        #expect(Set(next.instances.map(\.id)).isDisjoint(with: first.instances.map(\.id)))
    }

    @Test func anEmptyImageHasNoInstances() throws {
        let found = try perform(request(), .grey(width: 320, height: 240))
        #expect(found.instances.isEmpty && found.allInstances.isEmpty && found.totalCount == 0)
        #expect(found.labels.values.allSatisfy { $0 == 0 })
    }

    @Test func refusesRevisionsThatItDoesNotHave() throws {
        let request = request()
        request.revision = 99
        #expect(throws: VisionError.self) { try perform(request, .grey(width: 64, height: 64)) }
    }

    /// Memory of a frame's masks is used again, so that nobody may get another frame's people from it.
    @Test func masksOfTheFrameBeforeAreBackground() throws {
        let (request, photo) = (request(), try Photo.row(of: 2))
        let image = photo.image
        let first = try request.find(in: InputFrame(image.view))
        #expect(first.instances.count == 2 && first.totalCount == 2 && first.crowdLabel == nil)
        let mask = try #require(
            MaskMemory(format: .gray8, width: first.layout.width, height: first.layout.height))
        try first.writeMask(into: mask.mutableView)
        #expect(mask.values.contains(1))
        let second = try request.find(in: InputFrame(image.view))
        try first.writeMask(into: mask.mutableView)
        #expect(mask.values.allSatisfy { $0 == 0 })
        try second.writeLabels(into: mask.mutableView)
        #expect(mask.values.contains { $0 > 0 })
        request.reset()
        try second.writeMask(of: 1, into: mask.mutableView)
        #expect(mask.values.allSatisfy { $0 == 0 })
    }
}

extension Photo {
    /// Returns the photo turned clockwise by a quarter.
    fileprivate func rotatedByQuarter() -> Photo {
        var turned = [UInt8](repeating: 0, count: bytes.count)
        for y in 0..<height {
            for x in 0..<width {
                let (from, to) = (3 * (y * width + x), 3 * (x * height + height - 1 - y))
                for channel in 0..<3 { turned[to + channel] = bytes[from + channel] }
            }
        }
        return Photo(width: height, height: width, bytes: turned)
    }
}
