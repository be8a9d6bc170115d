import Foundation
import Imaging
import PeopleVision
import Testing

/// Tests that tiles cover the frame, overlap, and end at its edges.
@Suite struct FrameTilesTests {
    @Test(arguments: [(1920, 1080), (640, 360), (480, 854), (1000, 1000), (3000, 300)])
    func everyPlaceIsWellInsideATile(_ width: Int, _ height: Int) {
        let size = Size(width: width, height: height)
        let tiles = FrameTiles(size, share: 0.4, smallest: 192)
        let side = max(0.4 * Double(max(width, height)), 192)
        #expect(tiles.count > 1)
        let centers = (0..<tiles.count).map(tiles.center)
        // A face as large as a quarter of a tile lies whole in one of the tiles, wherever it is in the frame.
        let half = 0.125 * side
        for y in stride(from: half, through: size.height - half, by: 7) {
            for x in stride(from: half, through: size.width - half, by: 7) {
                let isInside = centers.contains {
                    abs($0.x - x) <= side / 2 - half + 1e-9
                        && abs($0.y - y) <= max(side / 2 - half, size.height / 2) + 1e-9
                }
                #expect(isInside, "\(x), \(y)")
            }
        }
        if Double(width) > side {
            let left = centers.map { $0.x - side / 2 }.min() ?? -1
            #expect(abs(left) < 1e-9)
            #expect(abs((centers.map { $0.x + side / 2 }.max() ?? -1) - size.width) < 1e-9)
        }
    }

    @Test(arguments: [(1920, 1080), (480, 854), (1000, 300)], [0.4, 0.79, 2.36, 3.0, -1.2] as [Double])
    func everyPlaceIsWellInsideATurnedTile(_ frame: (width: Int, height: Int), _ angle: Double) {
        let size = Size(width: frame.width, height: frame.height)
        let tiles = FrameTiles(size, share: 0.4, smallest: 192, angle: angle)
        let side = max(0.4 * max(size.width, size.height), 192)
        let centers = (0..<tiles.count).filter(tiles.showsFrame).map(tiles.center)
        let half = 0.125 * side
        for y in stride(from: half, through: size.height - half, by: 17) {
            for x in stride(from: half, through: size.width - half, by: 17) {
                let isInside = centers.contains {
                    let (across, down) = (x - $0.x, y - $0.y)
                    return abs(cos(angle) * across + sin(angle) * down) <= side / 2 - half + 1
                        && abs(cos(angle) * down - sin(angle) * across) <= side / 2 - half + 1
                }
                #expect(isInside, "\(x), \(y)")
            }
        }
    }

    @Test func quarterTurnsNeedAsManyTiles() {
        let (wide, high) = (Size(width: 1920, height: 1080), Size(width: 1080, height: 1920))
        let (upright, rotated) = (
            FrameTiles(wide, share: 0.2, smallest: 192),
            FrameTiles(high, share: 0.2, smallest: 192, angle: .pi / 2)
        )
        #expect(upright.count == rotated.count)
        #expect((0..<rotated.count).allSatisfy(rotated.showsFrame))
    }

    @Test func smallAndThinFramesHaveFewOrNoTiles() {
        #expect(FrameTiles(Size(width: 200, height: 150), share: 0.4, smallest: 192).count == 0)
        #expect(FrameTiles(Size(width: 1, height: 1), share: 0.4, smallest: 192).count == 0)
        #expect(FrameTiles(Size(width: 32768, height: 1), share: 0.2, smallest: 192).count < 10)
    }

    /// Only known places are viewed: small ones in a view of their own, large ones in the tiles around them.
    @Test func viewsShowPlaces() {
        let tiles = FrameTiles(Size(width: 1920, height: 1080), share: 0.2, smallest: 192)
        let small = Rectangle(x: 500, y: 300, width: 40, height: 50)
        let large = Rectangle(x: 1300, y: 0, width: 500, height: 500)
        #expect(tiles.views(of: nil).count == tiles.count && tiles.views(of: []).isEmpty)
        let own = tiles.views(of: [small])
        #expect(own.count == 1 && own[0].center == small.center && own[0].side == 384)
        let around = tiles.views(of: [large])
        #expect((4..<tiles.count).contains(around.count))
        for corner in [Point(x: 1310, y: 10), Point(x: 1790, y: 490)] {
            #expect(
                around.contains { abs($0.center.x - corner.x) <= 192 && abs($0.center.y - corner.y) <= 192 })
        }
        #expect(tiles.views(of: [small, large]).count == around.count + 1)
    }
}
