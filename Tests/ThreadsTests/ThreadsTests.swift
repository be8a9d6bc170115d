import Testing
import Threads

struct ThreadsTests {
    @Test func aWorkerDoesEachPieceOnce() {
        let done = Monitor(0)
        let worker = Worker { done.update { $0 += 1 } }
        for piece in 1...100 {
            worker.begin()
            worker.wait()
            #expect(!worker.isBusy && done.read { $0 } == piece)
        }
    }

    @Test func aWorkerEndsAfterItsPiece() {
        let (begun, isOver) = (Monitor(false), Monitor(false))
        do {
            let worker = Worker {
                begun.update { $0 = true }
                isOver.update { $0 = true }
            }
            worker.begin()
            begun.wait { $0 ? () : nil }
            #expect(worker.wait(atMost: .infinity))
        }
        #expect(isOver.read { $0 })
    }

    @Test func aWaitEndsWithTheChange() throws {
        let value = Monitor(0)
        let seen = Monitor<Int?>(nil)
        let thread = BackgroundThread {
            let result = value.wait { $0 == 2 ? $0 : nil }
            seen.update { $0 = result }
        }
        for _ in 1...2 { value.update { $0 += 1 } }
        try #require(thread).wait()
        #expect(seen.read { $0 } == 2)
    }

    @Test func aWaitEndsWithItsDeadline() {
        let value = Monitor(1)
        #expect(value.wait(until: Deadline(in: 0), for: { $0 == 2 ? $0 : nil }) == nil)
        #expect(value.wait(until: Deadline(in: -1), for: { $0 == 1 ? $0 : nil }) == 1)
    }

    @Test func aWaitThrowsWhatItsAttemptThrows() {
        struct Refusal: Error {}
        let value = Monitor(1)
        // Swift 6.0 crashes at a closure with typed throws within #expect.
        var hasThrown = false
        do { try value.wait { (_) throws(Refusal) -> Void? in throw Refusal() } } catch { hasThrown = true }
        #expect(hasThrown)
        // The lock is free again.
        #expect(value.read { $0 } == 1)
    }
}
