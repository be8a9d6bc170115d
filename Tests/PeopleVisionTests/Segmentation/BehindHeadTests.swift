import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of things behind heads: masks of a head on a trunk, and what another model sees.
struct BehindHeadTests {
    private static let side = 512
    private static let face = Rectangle(x: 0.4, y: 0.3, width: 0.2, height: 0.2)
    private static let chin = 256
    private static let plan = SegmentationPlan(.balanced, size: Size(width: 512, height: 512))

    private static func image(_ value: (Int, Int) -> Float) -> FloatImage { FloatImage(side, side, value) }

    /// Whether a place is in the ellipse around the head: 164 pixels wide and 236 high, around (256, 174).
    private static func isHead(_ x: Int, _ y: Int) -> Bool {
        let (across, down) = ((Double(x) + 0.5 - 256) / 81.92, (Double(y) + 0.5 - 174.08) / 117.76)
        return across * across + down * down < 1
    }

    private static func isPerson(_ x: Int, _ y: Int) -> Bool {
        isHead(x, y) || (y >= 270 && abs(x - 256) < 150)
    }
    /// Whether a place is in a square beside the head, which touches it.
    private static func isThing(_ x: Int, _ y: Int) -> Bool {
        (325..<405).contains(x) && (100..<180).contains(y)
    }

    private static var mask: FloatImage { image { x, y in isPerson(x, y) || isThing(x, y) ? 1 : 0 } }

    /// Returns what is left of `mask`, also by what is seen in the mirror image; nil if nobody is asked.
    private func cleared(_ mask: FloatImage, seen: FloatImage, mirrored: FloatImage? = nil) -> FloatImage? {
        let result = FloatImage()
        result.copy(mask)
        let prompt = clear(result, seen: seen, mirrored: mirrored)
        return prompt == nil ? nil : result
    }

    /// Clears a part of `mask`, and returns what the other model was asked; nil if it was not.
    private func clear(
        _ mask: FloatImage, _ finder: BehindHead = BehindHead(plan), face: Rectangle = face, seen: FloatImage,
        mirrored: FloatImage? = nil
    ) -> PromptedSegmenter.Prompt? {
        var asked: PromptedSegmenter.Prompt?
        #expect(throws: Never.self) {
            try finder.clear(mask, beside: face) { (prompt, isMirrored) throws(VisionError) in
                asked = prompt
                return isMirrored ? mirrored ?? seen : seen
            }
        }
        return asked
    }

    /// Returns what is left by the definition, for masks that are 0 or 1, or above 0.95 in the head.
    private func plainlyCleared(_ mask: FloatImage, seen: FloatImage) -> FloatImage {
        let places = (0..<mask.count).map { (x: $0 % Self.side, y: $0 / Self.side) }
        let area = mask.array.reduce(0, +)
        func share(_ isCounted: (Int, Int) -> Bool) -> Double {
            let head = places.indices.filter {
                isCounted(places[$0].x, places[$0].y) && Self.isHead(places[$0].x, places[$0].y)
                    && mask.base[$0] >= 0.95
            }
            return Double(head.count { seen.base[$0] > 0.5 }) / Double(head.count)
        }
        let result = FloatImage()
        result.copy(mask)
        guard share({ _, y in y < Self.chin }) >= 0.8 else { return result }
        let seesHair = share { _, y in Double(y) + 0.5 < 204.8 } >= 0.8
        // 81.92 pixels to both sides of 256.
        let trunk = places.indices.filter {
            places[$0].y >= Self.chin && (174...337).contains(places[$0].x) && mask.base[$0] >= 0.95
        }
        let seesTrunk = Double(trunk.count { seen.base[$0] > 0.5 }) >= 0.8 * Double(trunk.count)
        let pieces = floodedRegions(Self.side, Self.side) {
            let (x, y) = places[$0]
            return (y < Self.chin || seesTrunk) && mask.base[$0] > 0.1 && seen.base[$0] < 0.4
                && (seesHair || !Self.isHead(x, y))
        }
        for piece in pieces {
            let beside = piece.filter { places[$0].y < Self.chin && !Self.isHead(places[$0].x, places[$0].y) }
            guard beside.reduce(0, { $0 + mask.base[$1] }) >= 0.02 * area else { continue }
            for index in piece {
                let (x, y) = places[index]
                for v in max(0, y - 1)...min(Self.side - 1, y + 1) {
                    for u in max(0, x - 1)...min(Self.side - 1, x + 1) { result.base[v * Self.side + u] = 0 }
                }
            }
        }
        return result
    }

    // Rule: behind-head.
    @Test(arguments: [0, 0.39] as [Float]) func whatTheOtherModelDoesNotSeeGoes(alpha: Float) throws {
        let seen = Self.image { x, y in Self.isPerson(x, y) ? 1 : alpha }
        let result = try #require(cleared(Self.mask, seen: seen))
        #expect(result.array == plainlyCleared(Self.mask, seen: seen).array)
        #expect(result[360, 140] == 0 && result[256, 140] == 1 && result[256, 400] == 1)
    }

    /// A thing that reaches below the chin has no straight edge there.
    @Test func aThingGoesAsAWhole() throws {
        func isBehind(_ x: Int, _ y: Int) -> Bool { x >= 360 && y >= 150 }
        let mask = Self.image { x, y in Self.isPerson(x, y) || isBehind(x, y) ? 1 : 0 }
        // The other model misses an arm, too, which does not touch the thing.
        let seen = Self.image { x, y in Self.isPerson(x, y) && !(x < 130 && y >= 270) ? 1 : 0 }
        let result = try #require(cleared(mask, seen: seen))
        #expect(result.array == plainlyCleared(mask, seen: seen).array)
        #expect(
            result[450, 200] == 0 && result[450, 400] == 0 && result[115, 400] == 1 && result[256, 400] == 1)
    }

    /// The other model sees the head alone, and not the trunk, which the thing touches.
    @Test func aTrunkThatTheOtherModelMissesStays() throws {
        func isBehind(_ x: Int, _ y: Int) -> Bool { x >= 360 && y >= 150 }
        let mask = Self.image { x, y in Self.isPerson(x, y) || isBehind(x, y) ? 1 : 0 }
        let seen = Self.image { x, y in Self.isHead(x, y) ? 1 : 0 }
        let result = try #require(cleared(mask, seen: seen))
        #expect(result.array == plainlyCleared(mask, seen: seen).array)
        #expect(result[450, 200] == 0 && result[450, 400] == 1 && result[256, 400] == 1)
    }

    @Test func whatTheOtherModelSeesStays() {
        let seen = Self.image { x, y in Self.isPerson(x, y) ? 1 : 0.41 }
        #expect(cleared(Self.mask, seen: seen)?.array == Self.mask.array)
    }

    @Test func whatIsSeenInOneOfTwoImagesStays() throws {
        let alone = Self.image { x, y in Self.isPerson(x, y) ? 1 : 0 }
        #expect(cleared(Self.mask, seen: alone, mirrored: Self.mask)?.array == Self.mask.array)
        #expect(cleared(Self.mask, seen: Self.mask, mirrored: alone)?.array == Self.mask.array)
        let both = try #require(cleared(Self.mask, seen: alone, mirrored: alone))
        #expect(both.array == plainlyCleared(Self.mask, seen: alone).array)
    }

    /// The next image does not know what was seen in the last one.
    @Test func aFinderServesManyImages() throws {
        let (finder, alone) = (BehindHead(Self.plan), Self.image { x, y in Self.isPerson(x, y) ? 1 : 0 })
        for (seen, isThing) in [(Self.mask, 1), (alone, 0), (Self.mask, 1)] as [(FloatImage, Float)] {
            let result = FloatImage()
            result.copy(Self.mask)
            _ = try #require(clear(result, finder, seen: seen))
            #expect(result[360, 140] == isThing)
        }
    }

    /// The other model misses hair down to a row, and the thing that touches it.
    @Test(arguments: [60, 90, 106]) func hairThatTheOtherModelMissesStays(top: Int) throws {
        let seen = Self.image { x, y in Self.isPerson(x, y) && y >= top ? 1 : 0 }
        let result = try #require(cleared(Self.mask, seen: seen))
        #expect(result.array == plainlyCleared(Self.mask, seen: seen).array)
        #expect(result[360, 140] == 0 && result[256, 58] == 1 && result[256, 120] == 1)
    }

    @Test func aModelThatMissesTheHeadDoesNotCount() {
        let seen = Self.image { x, y in y >= 200 && Self.isPerson(x, y) ? 1 : 0 }
        #expect(cleared(Self.mask, seen: seen)?.array == Self.mask.array)
        #expect(cleared(Self.mask, seen: Self.image { _, _ in 0 })?.array == Self.mask.array)
    }

    @Test func nobodyIsAskedAboutAMaskOfTheHeadAlone() {
        let person = Self.image { x, y in Self.isPerson(x, y) ? 1 : 0 }
        #expect(cleared(person, seen: person) == nil)
        #expect(cleared(Self.image { _, _ in 0 }, seen: person) == nil)
        // What is lower than the chin is the trunk's.
        let low = Self.image { x, y in Self.isPerson(x, y) || (x > 420 && y > 260) ? 1 : 0 }
        #expect(cleared(low, seen: person) == nil)
    }

    @Test func pointsLieOnFaceAndChestAndInTheImage() throws {
        for (face, chest) in [(Self.face, 0.68), (Rectangle(x: 0.3, y: 0.5, width: 0.4, height: 0.4), 1)] {
            let mask = Self.image { x, y in x < 200 ? 1 : 0 }
            let prompt = try #require(clear(mask, face: face, seen: mask))
            guard case .points(let one, let other) = prompt else {
                Issue.record("no points")
                return
            }
            #expect(one == face.center && other.x == face.center.x && abs(other.y - chest) < 1e-9)
        }
    }

    @Test func facesOutsideOfTheImageClearNothing() {
        for face in [
            Rectangle(x: 2, y: -3, width: 0.5, height: 0.5), Rectangle(x: 0.2, y: 0.2, width: 0, height: 0),
            Rectangle(x: .nan, y: 0, width: 1, height: 1),
        ] {
            let result = FloatImage()
            result.copy(Self.mask)
            _ = clear(result, face: face, seen: Self.image { _, _ in 0 })
            #expect(result.array == Self.mask.array)
        }
    }
}
