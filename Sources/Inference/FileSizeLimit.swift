import Glibc

/// The limit of a file's size that a process may have (`ulimit -f`).
enum FileSizeLimit {
    /// Calls `body`, in which writing beyond the limit fails with `EFBIG` on this thread.
    ///
    /// The signal SIGXFSZ, which the thread that writes gets, would end the program otherwise. What the program does about the
    /// signal is not changed.
    static func failing<Result>(_ body: () -> Result) -> Result {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGXFSZ)
        var before = sigset_t()
        guard pthread_sigmask(SIG_BLOCK, &set, &before) == 0 else { return body() }
        let result = body()
        // One that the program holds back itself stays for it.
        if sigismember(&before, SIGXFSZ) == 0 {
            var now = timespec()
            while sigtimedwait(&set, nil, &now) > 0 {}
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return result
    }
}
