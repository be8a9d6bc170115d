import CGStreamer
import CommandKit
import Glibc

/// The user's browser, as xdg-open starts it.
struct Browser {
    /// A file that leads to the page.
    private let path: String

    /// Whether somebody looks on: at a terminal, in a session with a screen.
    static var isHere: Bool {
        Terminal.isOutput && (isSet("WAYLAND_DISPLAY") || isSet("DISPLAY"))
    }

    private static func isSet(_ variable: String) -> Bool {
        getenv(variable).map { !String(cString: $0).isEmpty } ?? false
    }

    /// Opens a page.
    ///
    /// Its address holds a secret. The browser is told the name of a file that only this user can read, because all users of a
    /// machine see the words with which programs are started.
    init(opening address: String) {
        let folder = g_get_user_runtime_dir().map { String(cString: $0) } ?? "."
        path = "\(folder)/gst-people-studio-\(getpid()).html"
        let page = """
            <!DOCTYPE html>
            <meta charset="utf-8">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>gst-people studio</title>

            """
        guard g_file_set_contents_full(path, page, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0o600, nil) != 0 else {
            return
        }
        Self.start("xdg-open", path)
    }

    /// Removes the file.
    func tidyUp() { unlink(path) }

    /// Starts a program that outlives this one, and does not end by the Control-C of this one.
    private static func start(_ words: String...) {
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        let flags = [G_SPAWN_SEARCH_PATH, G_SPAWN_STDOUT_TO_DEV_NULL, G_SPAWN_STDERR_TO_DEV_NULL]
        g_spawn_async(
            nil, &pointers, nil, GSpawnFlags(rawValue: flags.reduce(0) { $0 | $1.rawValue }),
            { _ in
                setsid()
                // This program blocks those that end it.
                var none = sigset_t()
                sigemptyset(&none)
                sigprocmask(SIG_SETMASK, &none, nil)
            }, nil, nil, nil)
    }
}
