import Imaging
import PeopleVision
import TestSupport
import Testing

/// Pieces that a matte lacks of people of whom the small model is sure.
struct PatchTests {
    /// A body of 120x120 at the lower edge of 240x180.
    private func isBody(_ x: Int, _ y: Int) -> Bool { (60..<180).contains(x) && y >= 60 }

    /// A matte of twice that size that lacks what `isMissing` says.
    private func filled(
        sure: Float = 1, missing isMissing: (Int, Int) -> Bool
    ) -> (matte: FloatImage, filled: FloatImage) {
        let people = FloatImage(240, 180) { x, y in isBody(x, y) ? sure : 0 }
        let matte = FloatImage(480, 360) { x, y in
            isBody(x / 2, y / 2) && !isMissing(x / 2, y / 2) ? 1 : 0
        }
        let filled = FloatImage()
        filled.copy(matte)
        MattePatches().fill(filled, people: people)
        return (matte, filled)
    }

    @Test func aPieceAtTheFramesEdgeIsFilled() {
        let (_, filled) = filled { x, y in (80..<120).contains(x) && y >= 150 }
        let everything = (120..<360).allSatisfy { y in (122..<358).allSatisfy { filled[$0, y] > 0.99 } }
        #expect(everything)
        #expect(filled[20, 340] == 0)
    }

    @Test func aPieceOpenToTheBackgroundByItsShortSideIsFilled() {
        let (_, filled) = filled { x, y in x >= 140 && (100..<124).contains(y) }
        #expect(filled[320, 224] > 0.99)
        #expect(filled[380, 224] == 0)
    }

    @Test func narrowGapsStay() {
        let (matte, filled) = filled { x, y in (112..<126).contains(x) && y >= 80 }
        #expect(distance(filled.array, matte.array) == 0)
    }

    @Test func whatIsMostlyOpenStays() {
        let (matte, filled) = filled { x, _ in x >= 160 }
        #expect(distance(filled.array, matte.array) == 0)
    }

    @Test func whatTheSmallModelDoubtsStays() {
        let (matte, filled) = filled(sure: 0.9) { x, y in (80..<120).contains(x) && y >= 150 }
        #expect(distance(filled.array, matte.array) == 0)
    }

    @Test func halfABodyStays() {
        let (matte, filled) = filled { x, y in (72..<168).contains(x) && y >= 80 }
        #expect(distance(filled.array, matte.array) == 0)
    }

    /// By the definition: flood filling, then every pixel of a part.
    ///
    /// Blocks are as wide as the gaps that are overlooked, or one value wider, and other sizes.
    @Test(arguments: [(80, 64), (85, 68), (61, 45)]) func equalsThePlainDefinition(width: Int, height: Int) {
        var images = RandomImages(seed: 5)
        var changes = 0
        for _ in 0..<20 {
            let (blocks, doubts) = (images.speckled(5, 4, share: 0.75), images.speckled(5, 4, share: 0.1))
            func block(_ grid: FloatImage, _ x: Int, _ y: Int) -> Float {
                grid[x * 5 / width, y * 4 / height]
            }
            let matte = FloatImage(width, height) { x, y in block(blocks, x, y) }
            let people = FloatImage(width, height) { x, y in 1 - 0.3 * block(doubts, x, y) }
            let expected = plainlyFilled(matte, people)
            if expected.array != matte.array { changes += 1 }
            MattePatches().fill(matte, people: people)
            #expect(distance(matte.array, expected.array) < 1e-5)
        }
        #expect((1..<20).contains(changes))
    }

    private func plainlyFilled(_ matte: FloatImage, _ people: FloatImage) -> FloatImage {
        let (width, height) = (matte.width, matte.height)
        let patches = FloatImage(width, height)
        let sure = people.values.count { $0 > 0.5 }
        for part in gaps(matte, people) where part.count <= sure / 10 {
            var (bound, sides) = (0, 0)
            for place in part {
                for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                    let (x, y) = (place.x + dx, place.y + dy)
                    guard !part.contains(Place(x: x, y: y)) else { continue }
                    sides += 1
                    let isOutside = x < 0 || y < 0 || x >= width || y >= height
                    if isOutside || matte[x, y] >= 0.9 { bound += 1 }
                }
            }
            guard Double(bound) > 0.7 * Double(sides), part.contains(where: { isWide($0, part, matte) })
            else {
                continue
            }
            for place in part { patches.row(place.y)[place.x] = 1 }
        }
        return FloatImage(width, height) { x, y in
            var isNear = false
            for v in max(0, y - 1)...min(height - 1, y + 1) {
                for u in max(0, x - 1)...min(width - 1, x + 1) where patches[u, v] > 0 { isNear = true }
            }
            let rim = min(max((people[x, y] - 0.6) / 0.35, 0), 1)
            return isNear ? max(matte[x, y], rim) : matte[x, y]
        }
    }

    /// Whether all that is less than nine pixels away from a place belongs to its part.
    private func isWide(_ place: Place, _ part: Set<Place>, _ matte: FloatImage) -> Bool {
        for y in max(0, place.y - 8)...min(matte.height - 1, place.y + 8) {
            for x in max(0, place.x - 8)...min(matte.width - 1, place.x + 8)
            where !part.contains(Place(x: x, y: y)) { return false }
        }
        return true
    }

    private func gaps(_ matte: FloatImage, _ people: FloatImage) -> [Set<Place>] {
        var left = Set<Place>()
        for y in 0..<matte.height {
            for x in 0..<matte.width where matte[x, y] < 0.9 && people[x, y] > 0.95 {
                left.insert(Place(x: x, y: y))
            }
        }
        var parts: [Set<Place>] = []
        while let first = left.popFirst() {
            var (part, open) = (Set([first]), [first])
            while let place = open.popLast() {
                for y in (place.y - 1)...(place.y + 1) {
                    for x in (place.x - 1)...(place.x + 1) {
                        guard let next = left.remove(Place(x: x, y: y)) else { continue }
                        part.insert(next)
                        open.append(next)
                    }
                }
            }
            parts.append(part)
        }
        return parts
    }
}

private struct Place: Hashable {
    let x: Int
    let y: Int
}
