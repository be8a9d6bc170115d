import PeopleVision
import TestSupport
import Testing

/// Tests of the cache, compared with a plain list of the keys used last.
struct ModelCacheTests {
    @Test(arguments: [1, 2, 5]) func keepsTheModelsUsedLast(capacity: Int) throws {
        var (cache, recent, generator) = (
            ModelCache<Int, String>(capacity: capacity), [Int](), SeededGenerator(seed: 7)
        )
        for _ in 0..<300 {
            let key = Int(generator.number(0...8))
            var isLoaded = false
            let model = try cache.model(key) { () throws(VisionError) in
                isLoaded = true
                return "model \(key)"
            }
            #expect(model == "model \(key)")
            #expect(isLoaded == !recent.contains(key))
            recent = Array(([key] + recent.filter { $0 != key }).prefix(capacity))
        }
    }

    @Test func theOldestGoesBeforeTheNewOneIsLoaded() throws {
        final class Model {}
        var cache = ModelCache<Int, Model>(capacity: 1)
        weak var first: Model?
        first = try cache.model(1) { () throws(VisionError) in Model() }
        #expect(first != nil)
        _ = try cache.model(2) { () throws(VisionError) in
            #expect(first == nil)
            return Model()
        }
    }

    @Test func modelsThatAreNotUsedForLongAreReleased() throws {
        var cache = ModelCache<Int, String>(capacity: 5)
        for frame in 0..<10 {
            _ = try cache.model(1) { () throws(VisionError) in "in each frame" }
            if frame == 2 { _ = try cache.model(2) { () throws(VisionError) in "once" } }
            // Three frames after its use a model is still there, four frames after it is not.
            #expect(cache.contains(2) == (2...5).contains(frame))
            cache.endFrame(keepingThoseOfLast: 3)
        }
        #expect(cache.contains(1))
    }

    @Test func aModelThatCannotBeLoadedIsAskedForAgain() throws {
        var cache = ModelCache<Int, Int>(capacity: 2)
        #expect(throws: VisionError.self) {
            try cache.model(1) { () throws(VisionError) in
                throw .unsupportedRevision(2, supported: 1...1)
            }
        }
        #expect(try cache.model(1) { () throws(VisionError) in 5 } == 5)
    }
}
