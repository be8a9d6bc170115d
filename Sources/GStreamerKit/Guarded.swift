import Synchronization

/// A value that several threads read and write, one at a time.
///
/// Applications set properties from any thread while the streaming thread works: it takes a
/// snapshot once per frame and never holds the lock while it works.
public final class Guarded<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    /// Guards `value`.
    public init(_ value: Value) { mutex = Mutex(value) }

    /// A copy of the value as it is now.
    public func snapshot() -> Value { mutex.withLock { $0 } }

    /// Changes the value; `body` must be short and must not call out.
    public func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}
