import Foundation

/// Time limits against hangs, in seconds; no test may come near one, however busy the machine is.
public enum Patience {
    /// The limit for one event.
    public static let event = 300.0
    /// The limit for a whole program.
    public static let program = 3600.0

    /// Checks `condition` repeatedly, with pauses, until it is true.
    ///
    /// - Returns: whether the condition became true before the limit.
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
