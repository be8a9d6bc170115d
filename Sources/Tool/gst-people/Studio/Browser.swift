import CGStreamer
import CommandKit
import Glibc

/// The user's browser, started by xdg-open.
struct Browser {
    /// A file that redirects to the page.
    private let path: String

    /// Whether a page can be opened: for a user at a terminal, in a session with a screen.
    static var isAvailable: Bool {
        Terminal.isOutput && (isSet("WAYLAND_DISPLAY") || isSet("DISPLAY"))
    }

    private static func isSet(_ variable: String) -> Bool {
        getenv(variable).map { !String(cString: $0).isEmpty } ?? false
    }

    /// Opens a page in the browser.
    ///
    /// The page's address contains a secret, and all users of a machine see the arguments of programs. The
    /// browser therefore gets the name of a file that only this user can read.
    init(opening address: String) {
        let folder = g_get_user_runtime_dir().map { String(cString: $0) } ?? "."
        path = "\(folder)/gst-people-studio-\(getpid()).html"
        let page = """
            <!DOCTYPE html>
            <meta charset="utf-8">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>gst-people studio</title>

            """
        guard g_file_set_contents_full(path, page, -1, .replacingWhole, 0o600, nil) != 0 else {
            return
        }
        Self.start("xdg-open", path)
    }

    /// Removes the file.
    func removeFile() { unlink(path) }

    /// Starts a program that outlives this one, and is not ended by Control-C.
    static func start(_ words: String...) {
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        g_spawn_async(
            nil, &pointers, nil, .silentFromPath,
            { _ in
                setsid()
                // The signals that this program blocks would stay blocked.
                var none = sigset_t()
                sigemptyset(&none)
                sigprocmask(SIG_SETMASK, &none, nil)
            }, nil, nil, nil)
    }
}

// Flags by their numbers: from GLib 2.90 on Swift has other names for them.

extension GFileSetContentsFlags {
    /// `G_FILE_SET_CONTENTS_CONSISTENT`.
    fileprivate static var replacingWhole: Self { Self(rawValue: 1 << 0) }
}

extension GSpawnFlags {
    /// `G_SPAWN_SEARCH_PATH`, `G_SPAWN_STDOUT_TO_DEV_NULL` and `G_SPAWN_STDERR_TO_DEV_NULL`.
    fileprivate static var silentFromPath: Self { Self(rawValue: 1 << 2 | 1 << 3 | 1 << 4) }
}
