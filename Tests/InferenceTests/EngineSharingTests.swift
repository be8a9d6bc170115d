import Foundation
import Inference
import Synchronization
import Testing

/// Compiled models are shared, requests run at the same time, and nothing stays behind.
@Suite(.enabled(if: Place.hasOpenVINO, "needs .gst-people/openvino: run pipelines/setup"), .serialized)
struct EngineSharingTests {
    private let engine = Engine.forTests()

    @Test func sameModelIsSharedAndReleased() throws {
        weak var released: CompiledModel?
        do {
            let first = try engine.compiledModel(fixture("scale"))
            #expect(try engine.compiledModel(fixture("scale")) === first)
            var options = ComputeOptions()
            options.parallelism = .wholeMachine
            #expect(try engine.compiledModel(fixture("scale"), options: options) !== first)
            (options.parallelism, options.replica) = (.streams, 1)
            #expect(try engine.compiledModel(fixture("scale"), options: options) !== first)
            let small = try engine.compiledModel(fixture("free_size"), width: 2, height: 2)
            #expect(try engine.compiledModel(fixture("free_size"), width: 4, height: 2) !== small)
            released = first
            #expect(released != nil)
        }
        #expect(released == nil)
        _ = try engine.compiledModel(fixture("scale"))
    }

    @Test func requestOutlivesItsCallersModel() throws {
        let request = try InferenceRequest(engine.compiledModel(fixture("scale")))
        request.input[0] = 1
        try request.run()
        #expect(request.outputs[1][0] == 2)
    }

    @Test func manyThreadsStartAtOnceAndComputeTheirOwn() throws {
        let info = try fixture("scale")
        let engine = engine
        let models = Mutex<Set<ObjectIdentifier>>([])
        let kept = Mutex<[CompiledModel]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do {
                let model = try engine.compiledModel(info)
                _ = models.withLock { $0.insert(ObjectIdentifier(model)) }
                kept.withLock { $0.append(model) }
                let request = try InferenceRequest(model)
                for run in 0..<200 {
                    request.input.update(repeating: Float(thread * 1000 + run))
                    try request.run()
                    #expect(request.outputs[1][4] == 3 * Float(thread * 1000 + run))
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(models.withLock { $0.count } == 1)
    }

    /// Short runs that follow each other on one thread while a long run counts to a million on another.
    private struct Overlap {
        /// Number of short runs that ended meanwhile: one or two if they have to wait for the long one.
        var count = 0
        /// Time of the longest short run as a fraction of the long run's: nearly all of it if it has to wait.
        var longest = 0.0
    }

    private func overlap(threads: Int) throws -> Overlap {
        var options = ComputeOptions()
        options.threads = threads
        let model = try engine.compiledModel(fixture("counter"), options: options)
        let starting = DispatchSemaphore(value: 0)
        let duration = Mutex<Duration?>(nil)
        Thread.detachNewThread {
            defer { starting.signal() }
            do {
                let long = try InferenceRequest(model)
                long.input[0] = 1_000_000
                starting.signal()
                let time = try ContinuousClock().measure { try long.run() }
                duration.withLock { $0 = time }
            } catch {
                Issue.record(error)
                duration.withLock { $0 = .seconds(1) }
            }
        }
        let short = try InferenceRequest(model)
        short.input[0] = 1
        starting.wait()
        var (count, longest) = (0, Duration.zero)
        while true {
            longest = max(longest, try ContinuousClock().measure { try short.run() })
            if let duration = duration.withLock({ $0 }) {
                return Overlap(count: count, longest: longest / duration)
            }
            count += 1
        }
    }

    /// A busy machine may delay any one thread, but not in all tries.
    @Test(.enabled(if: Place.cores > 1, "needs two cores"))
    func requestsOverlap() throws {
        func isTrueOnce(_ condition: () throws -> Bool) rethrows -> Bool {
            for _ in 0..<50 { if try condition() { return true } }
            return false
        }
        #expect(try isTrueOnce { try overlap(threads: 2).count >= 8 })
        // The measurement distinguishes requests that overlap from those that do not.
        #expect(try isTrueOnce { try overlap(threads: 1).longest > 0.5 })
    }

    @Test func startingAndStoppingLeaksNothing() throws {
        func startAndStop() throws {
            let request = try InferenceRequest(
                engine.compiledModel(fixture("free_size"), width: 512, height: 512))
            try request.run()
        }
        for _ in 0..<10 { try startAndStop() }
        // Other tests run in this process and use memory, too, but not in every round. One run has 4 MB of
        // tensors: a leak of them would add 200 MB in each round.
        var growth: [Int] = []
        repeat {
            let before = try residentBytes()
            for _ in 0..<50 { try startAndStop() }
            growth.append(try residentBytes() - before)
        } while growth.allSatisfy { $0 >= 16 << 20 } && growth.count < 5
        #expect(growth.contains { $0 < 16 << 20 }, "\(growth)")
    }

    private func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(fields[1])) * Int(getpagesize())
    }
}
