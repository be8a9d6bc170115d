import Imaging
import PeopleVision
import Testing

/// Tests of boxes between two corners, cut off at the frame's edges.
struct BoxDetectionTests {
    @Test func boxesEndAtTheFrame() throws {
        let inside = try #require(
            BoxDetection(left: 0.25, top: 0.5, right: 0.75, bottom: 0.875, score: 0.5))
        #expect(inside.box == Rectangle(x: 0.25, y: 0.5, width: 0.5, height: 0.375))
        #expect(inside.score == 0.5)
        let cut = BoxDetection(left: -0.5, top: -1, right: 3, bottom: 0.5, score: 0.5)
        #expect(cut?.box == Rectangle(x: 0, y: 0, width: 1, height: 0.5))
        let all = BoxDetection(left: -.infinity, top: 0, right: 1, bottom: 1, score: 0.5)
        #expect(all?.box == .unit)
    }

    @Test func isNilForEmptyOutsideAndUndefinedBoxes() {
        let edges = [[0.5, 0.1, 0.5, 0.9], [0.6, 0.1, 0.4, 0.9], [1.1, 0, 1.5, 1], [0, -1, 1, -0.1]]
        let numberless = (0..<4).map { place in (0..<4).map { $0 == place ? .nan : [0, 0, 1, 1][$0] } }
        for edges in edges + numberless {
            let nothing = BoxDetection(
                left: edges[0], top: edges[1], right: edges[2], bottom: edges[3], score: 1)
            #expect(nothing == nil, "\(edges)")
        }
    }
}
