import Foundation
import TestSupport
import Testing

/// The metadata of personsegment with instance-masks=true.
struct InstanceMaskTests {
    private static let line = "personsegment quality=fast instance-masks=true"
    let group: Frame

    init() throws {
        group = try Frame.picture(Checkout.clip.path, "video/x-raw,format=RGB")
        group.time = 0
    }

    private func people(_ meta: MaskMeta) throws -> [MaskMeta.Instance] { try #require(meta.instances) }

    @Test func attachesEachPersonsMaskAndRegion() throws {
        let frame = try Harness(Self.line, caps: group.caps).transform(group)
        let meta = try #require(MaskMeta(frame))
        let people = try people(meta)
        #expect(people.map(\.label) == [1, 2, 3] && Set(people.map(\.id)).count == 3)
        #expect(meta.int("people") == 3 && meta.int("crowd-label") == 0)
        let (width, labels) = (try #require(meta.int("width")), try #require(meta.labels))
        #expect(try labels.count == width * #require(meta.int("height")))
        #expect(Set(labels) == [0, 1, 2, 3])
        #expect(meta.int("labels-stride") == width)
        let whole = meta.values.map { Int(($0 * 255).rounded()) }
        for (index, label) in labels.enumerated() {
            let parts = people.map { Int($0.mask[index]) }
            #expect(parts.reduce(0, +) <= whole[index] + 2)
            guard label > 0 else { continue }
            #expect(parts[Int(label) - 1] == parts.max())
        }
        let regions = Region.all(of: frame)
        #expect(regions.map(\.id) == people.map(\.id) && regions.allSatisfy { $0.kind == "person" })
    }

    @Test func anImageWithoutPeopleHasAnEmptyList() throws {
        let frame = try ElementCase.grayFrame()
        let meta = try #require(MaskMeta(try Harness(Self.line, caps: frame.caps).transform(frame)))
        #expect(try people(meta).isEmpty && meta.labels?.allSatisfy { $0 == 0 } == true)
    }

    @Test func withoutInstancesThereIsNoList() throws {
        let harness = try Harness("personsegment quality=fast", caps: group.caps)
        #expect(MaskMeta(try harness.transform(group))?.instances == nil)
        harness.set("instance-masks", "true")
        group.time += 40_000_000
        #expect(try people(#require(MaskMeta(harness.transform(group)))).count == 3)
        harness.set("max-instances", "2")
        harness.set("overflow", "background")
        group.time += 40_000_000
        let meta = try #require(MaskMeta(harness.transform(group)))
        #expect(try people(meta).count == 2 && meta.int("people") == 3 && meta.int("crowd-label") == 0)
        harness.set("overflow", "merge")
        group.time += 40_000_000
        #expect(try #require(MaskMeta(harness.transform(group))).int("crowd-label") == 3)
    }

    @Test func framesBetweenAnalysesKeepTheLastPeople() throws {
        let harness = try Harness(Self.line + " inference-interval=3", caps: group.caps)
        let ids = try (0..<4).map { index in
            group.time = UInt64(index) * 40_000_000
            return try people(#require(MaskMeta(harness.transform(group)))).map(\.id)
        }
        #expect(ids.allSatisfy { $0 == ids[0] } && ids[0].count == 3)
    }

    @Test func aPythonProgramReadsThePeople() throws {
        let result = try script(
            "read_instances.py",
            [
                "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! \(Self.line) ! "
                    + "appsink name=sink sync=false"
            ])
        #expect(result.status == 0, "\(result.output)")
        let people = objects(result)
        #expect(people.count == 3)
        for person in people {
            let (covered, own) = (person["covered"] as? Double ?? 0, person["own"] as? Double ?? 1)
            #expect(covered > 0.05 && abs(covered - own) < 0.02)
            #expect(person["id"] as? Int ?? 0 > 0)
        }
    }
}
