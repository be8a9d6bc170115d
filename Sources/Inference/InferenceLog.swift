import Synchronization

/// Tells what the library does rarely and what takes time: opening OpenVINO, compiling models.
///
/// It writes nothing by itself; a program that has a log gives it a way there.
public enum InferenceLog {
    private static let writer = Mutex<(@Sendable (String) -> Void)?>(nil)

    /// Hands every line to `write` from now on, on whatever thread it comes up.
    public static func setWriter(_ write: @escaping @Sendable (String) -> Void) {
        writer.withLock { $0 = write }
    }

    /// Builds the line only for a reader.
    static func write(_ line: () -> String) {
        let write = writer.withLock { $0 }
        write?(line())
    }
}
