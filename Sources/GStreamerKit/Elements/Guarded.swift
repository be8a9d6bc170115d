import Synchronization

/// A value that several threads read and write, one at a time.
///
/// Applications set properties from any thread while the streaming thread works: it takes a
/// snapshot once per frame and never holds the lock while it works.
///
/// One rule holds for this lock and for `ConditionLock`, so that no two threads can wait for each other: **what
/// runs under a lock reads and changes the guarded value, and calls nothing else** - no other lock, no
/// GStreamer function, no closure from outside. What is to be done about a change is returned from `update` and
/// done afterwards. So are objects that wait when they go out of use, such as clips; pictures only give their memory
/// back and may be dropped under the lock. Work that two threads must not do at once is guarded by a state
/// that says who does it (`ClipDecoder.Phase`).
public final class Guarded<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    /// Guards `value`.
    public init(_ value: Value) { mutex = Mutex(value) }

    /// A copy of the value as it is now.
    public func snapshot() -> Value { mutex.withLock { $0 } }

    /// Changes the value.
    public func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}
