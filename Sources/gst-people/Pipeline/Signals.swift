import Glibc

/// Signals that ask the program to end, polled between messages of the pipeline instead of handled at once.
///
/// The signals are blocked in every thread, so that nothing is cut short in the middle of a write.
enum Signals {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// To be called before any thread starts: threads inherit what is blocked.
    static func block() {
        change(SIG_BLOCK)
        // A reader that went away (`| head`) must not leave an unfinished file.
        signal(SIGPIPE, SIG_IGN)
        // What passes the limit of a file's size (`ulimit -f`) is an error of its output.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Lets them through again, for a program that takes this one's place.
    static func unblock() {
        change(SIG_UNBLOCK)
        signal(SIGPIPE, SIG_DFL)
        signal(SIGXFSZ, SIG_DFL)
    }

    /// The signal that has come, if any.
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
