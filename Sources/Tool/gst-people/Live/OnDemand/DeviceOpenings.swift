import CommandKit
import FileNames
import Glibc

/// The programs that have a device open, for drivers that do not report who reads.
///
/// Programs of other users are not seen. One that lists cameras opens them all for a moment, so a device
/// counts as read when it is still open a moment later.
final class DeviceOpenings: CameraReaders {
    /// Time for which a device is open while it is only looked at, in milliseconds.
    private static let moment = Duration.milliseconds(300)
    private static let block = 4096

    private let path: String
    private let inotify: Int32
    private var hasReaders = false
    /// Time of the last opening or closing that is still to be looked into.
    private var changed: ContinuousClock.Instant? = .now

    var descriptor: Int32? { inotify }

    init(_ path: String) throws(ToolError) {
        self.path = path
        inotify = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        let events = UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
        guard inotify >= 0, inotify_add_watch(inotify, path.fileName, events) >= 0 else {
            throw ToolError(.input, "\(path) cannot be watched: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(inotify) }

    func isRead() throws(ToolError) -> Bool {
        var events = [UInt8](repeating: 0, count: Self.block)
        while read(inotify, &events, events.count) > 0 { changed = .now }
        if let changed, .now - changed > Self.moment {
            self.changed = nil
            hasReaders = isOpenElsewhere
        }
        return hasReaders
    }

    /// Whether another program has the device open.
    private var isOpenElsewhere: Bool {
        let own = "\(getpid())"
        return FileSystem.names(in: "/proc").contains { process in
            guard process != own, Int(process) != nil else { return false }
            let folder = "/proc/\(process)/fd"
            return FileSystem.names(in: folder).contains { FileSystem.target(of: "\(folder)/\($0)") == path }
        }
    }
}
