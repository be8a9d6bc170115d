import Synchronization

/// The time of the first frame that passes, in nanoseconds.
final class FirstTime: Sendable {
    private let time = Mutex<UInt64?>(nil)

    var value: UInt64? { time.withLock { $0 } }
    func note(_ time: UInt64) { self.time.withLock { $0 = $0 ?? time } }
}
