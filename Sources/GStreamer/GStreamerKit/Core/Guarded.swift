import Synchronization

/// A value that several threads read and write, one at a time.
///
/// Applications set properties from any thread while frames are processed. The streaming thread takes a
/// snapshot once per frame and does not lock while it works.
///
/// One rule for this lock and for `Monitor` prevents deadlocks: **code under a lock reads and changes
/// the guarded value, and calls nothing else** - no other lock, no GStreamer function, no closure from
/// outside. `update` returns what is to be done about a change, and the caller does it afterwards. Objects
/// whose deinitializer waits, such as clips, are returned in the same way; pictures only free memory and may
/// be released under the lock. Work that only one thread may do at a time is guarded by a state that names
/// the thread's work (`ClipDecoder.Phase`).
public final class Guarded<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    /// Guards `value`.
    public init(_ value: Value) { mutex = Mutex(value) }

    /// Returns a copy of the value as it is now.
    public func snapshot() -> Value { mutex.withLock { $0 } }

    /// Changes the value.
    public func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}
