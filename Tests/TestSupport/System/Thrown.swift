/// Returns the error of a type that `body` throws; nil if it throws none or another one.
///
/// `#expect(throws:)` returns the error only since Swift 6.1.
public func thrown<Failure: Error, Value>(
    _ type: Failure.Type, by body: () throws -> Value
) -> Failure? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? Failure
    }
}
