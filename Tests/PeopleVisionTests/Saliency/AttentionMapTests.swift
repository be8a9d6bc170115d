import Imaging
import PeopleVision
import TestSupport
import Testing

struct AttentionMapTests {
    private let face = Rectangle(x: 0.25, y: 0.3, width: 0.12, height: 0.16)

    private func place(_ point: Point) -> (Int, Int) {
        (Int(point.x * Double(SaliencyMap.side)), Int(point.y * Double(SaliencyMap.side)))
    }

    private func heat(_ map: AttentionMap, _ x: Double, _ y: Double) -> Float {
        let (column, row) = place(Point(x: x, y: y))
        return map.map.values[column, row]
    }

    @Test func facesHaveTheHighestAttention() throws {
        let map = AttentionMap()
        let body = FloatImage(100, 100) { x, y in (20..<45).contains(x) && y > 30 ? 1 : 0 }
        let thing = FloatImage(100, 100) { x, y in body[x, y] > 0 || x > 80 && y > 80 ? 1 : 0 }
        map.begin(people: body, subjects: thing)
        map.add(face, yaw: 0, pitch: 0, confidence: 0.9)
        let found = try #require(map.finish())
        let (atFace, atBody, atThing) = (heat(map, 0.31, 0.38), heat(map, 0.32, 0.8), heat(map, 0.92, 0.92))
        #expect(
            atFace > 0.99 && atFace > atBody && atBody > atThing && atThing > 0 && heat(map, 0.7, 0.2) < 0.01)
        #expect(found.box.x < 0.31 && found.box.x + found.box.width > 0.31 && found.confidence > 0.5)
    }

    @Test(arguments: [(1.0, 0.0, 0.65, 0.38), (-1.0, 0.0, 0.03, 0.38), (0.0, 1.0, 0.31, 0.85)])
    func attentionFollowsTheDirectionOfAFace(yaw: Double, pitch: Double, x: Double, y: Double) {
        let (ahead, turned) = (AttentionMap(), AttentionMap())
        for (map, yaw, pitch) in [(ahead, 0, 0), (turned, yaw, pitch)] {
            map.begin(people: nil, subjects: nil)
            map.add(face, yaw: yaw, pitch: pitch, confidence: 1)
            #expect(map.finish() != nil)
        }
        #expect(heat(turned, x, y) > 0.2 && heat(ahead, x, y) < 0.01)
    }

    @Test func emptyImagesHaveNoAttention() {
        let map = AttentionMap()
        map.begin(people: nil, subjects: FloatImage(80, 60) { _, _ in 0.1 })
        #expect(map.finish() == nil && map.map.values.array.allSatisfy { $0 == 0 })
    }
}
