import Glibc

/// Signals that ask the program to end, polled between messages of the pipeline instead of handled at once.
///
/// The signals are blocked in every thread, so that nothing is cut short in the middle of a write.
enum Signals {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// Blocks the signals; to be called before any thread starts, because threads inherit the mask.
    static func block() {
        change(SIG_BLOCK)
        // A reader that went away (`| head`) must not leave an unfinished file.
        signal(SIGPIPE, SIG_IGN)
        // A file beyond the limit of sizes (`ulimit -f`) is an error of its output.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Unblocks the signals, for a program that replaces this one.
    static func unblock() {
        change(SIG_UNBLOCK)
        signal(SIGPIPE, SIG_DFL)
        signal(SIGXFSZ, SIG_DFL)
    }

    /// The signal that has arrived, if any.
    ///
    /// Another one then ends the program at once.
    static func pending() -> Int32? {
        var set = set
        var now = timespec()
        let number = sigtimedwait(&set, nil, &now)
        guard number > 0 else { return nil }
        change(SIG_UNBLOCK)
        return number
    }

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }

    private static func change(_ how: Int32) {
        var set = set
        pthread_sigmask(how, &set, nil)
    }
}
