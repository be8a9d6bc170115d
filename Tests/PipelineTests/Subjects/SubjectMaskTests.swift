import Foundation
import TestSupport
import Testing

/// The metadata of subjectsegment.
struct SubjectMaskTests {
    private static let line = "subjectsegment quality=fast"

    /// Returns a light frame with an orange and a green disk.
    private func disks(at time: UInt64 = 0) throws -> Frame {
        let frame = try Frame(caps("RGB", 240, 160))
        let colors: [(wall: UInt8, left: UInt8, right: UInt8)] = [
            (205, 240, 30), (205, 120, 150), (208, 20, 50),
        ]
        for (component, color) in colors.enumerated() {
            frame.fill(component) { x, y in
                if Self.isDisk(x, y, 72, 80) { return color.left }
                return Self.isDisk(x, y, 180, 96) ? color.right : color.wall
            }
        }
        frame.time = time
        return frame
    }

    private static func isDisk(_ x: Int, _ y: Int, _ centerX: Int, _ centerY: Int) -> Bool {
        (x - centerX) * (x - centerX) + (y - centerY) * (y - centerY) < 32 * 32
    }

    @Test func attachesEachSubjectsMaskAndRegion() throws {
        let frame = try disks()
        let result = try Harness(Self.line, caps: frame.caps).transform(frame)
        let meta = try #require(MaskMeta(result))
        let subjects = try #require(meta.instances)
        #expect(subjects.count == 2 && meta.int("subjects") == 2 && meta.int("people") == nil)
        #expect(meta.int("crowd-label") == 0 && meta.labels.map { Set($0) } == [0, 1, 2])
        let regions = Region.all(of: result)
        #expect(regions.map(\.id) == subjects.map(\.id) && regions.allSatisfy { $0.kind == "subject" })
        for (subject, place) in zip(subjects.sorted { $0.box[0] < $1.box[0] }, [(0.3, 0.5), (0.75, 0.6)]) {
            #expect(abs(subject.box[0] + subject.box[2] / 2 - place.0) < 0.03)
            #expect(abs(subject.box[1] + subject.box[3] / 2 - place.1) < 0.03)
        }
    }

    /// The mask of a later personsegment replaces this one, including its regions, and the other way round.
    @Test func aLaterMaskReplacesTheEarlierOne() throws {
        let frame = try disks()
        let people = "personsegment quality=fast instance-masks=true"
        let lines = ["\(Self.line) ! \(people)", "\(people) ! \(Self.line)"]
        for (line, count) in zip(lines, [0, 2]) {
            let result = try Harness(line, caps: frame.caps).transform(frame)
            #expect(MaskMeta.count(on: result) == 1 && MaskMeta(result)?.instances?.count == count)
            #expect(Region.all(of: result).filter { $0.kind == "subject" }.count == count)
        }
    }

    @Test func idsStayAndBlendmaskKeepsOneOfThem() throws {
        let frame = try disks()
        let harness = try Harness(
            "\(Self.line) ! blendmask background-color=0xff000000 instances-at=0.75,0.6", caps: frame.caps)
        for time in 0..<3 {
            let shown = try harness.transform(disks(at: UInt64(time) * 40_000_000))
            let (red, green) = (shown.samples(0), shown.samples(1))
            #expect(red[80][72] < 8 && green[96][180] > 140 && red[10][10] < 8)
        }
    }
}
