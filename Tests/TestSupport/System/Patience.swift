import Foundation

/// Limits against hangs, in seconds: no test may come near one, on however busy a machine.
public enum Patience {
    /// For one event.
    public static let event = 300.0
    /// For a whole program.
    public static let program = 3600.0

    /// Asks again and again, with a pause, until `condition` holds.
    ///
    /// - Returns: whether it holds; false when it is taken for hung.
    @discardableResult
    public static func wait(for limit: Double = event, until condition: () throws -> Bool) rethrows -> Bool {
        let end = Date(timeIntervalSinceNow: limit)
        while try !condition() {
            guard Date() < end else { return false }
            usleep(5000)
        }
        return true
    }
}
