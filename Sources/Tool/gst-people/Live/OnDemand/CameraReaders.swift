import CommandKit
import FileNames
import Glibc

/// The programs that read a virtual camera.
protocol CameraReaders: AnyObject {
    /// A file descriptor that becomes readable when there is something new; nil where there is none, so that
    /// `isRead` has to be called several times a second.
    var descriptor: Int32? { get }

    /// Returns whether any program reads the camera, without waiting.
    func isRead() throws(ToolError) -> Bool
}

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

/// The programs that read a device of v4l2loopback, as its driver reports them.
///
/// The driver sends an event when a program starts or stops streaming, also when it is killed: from version
/// 0.13 on, and before that in Ubuntu's, with another number.
final class LoopbackReaders: CameraReaders {
    // Numbers of v4l2loopback and of Linux' videodev2.h.
    /// `V4L2_EVENT_PRI_CLIENT_USAGE`: 0x08E00001 above the private events, or the first of them.
    private static let clientUsage: [UInt32] = [0x0800_0000 + 0x08e0_0000 + 1, 0x0800_0000]
    /// `V4L2_EVENT_SUB_FL_SEND_INITIAL`.
    private static let sendsInitial: UInt32 = 1
    /// `VIDIOC_SUBSCRIBE_EVENT` and `VIDIOC_DQEVENT`.
    private static let (subscribe, dequeue): (UInt, UInt) = (0x4020_565a, 0x8088_5659)
    /// The length of `v4l2_event_subscription`, and of `v4l2_event`, in words of 32 and 64 bits.
    private static let (subscriptionLength, eventLength) = (8, 17)

    private let device: Int32
    private let event: UInt32
    private var hasReaders = false

    // Without buffers of its own, this end of the device always has an error for poll().
    let descriptor: Int32? = nil

    /// Subscribes to the device's events; nil where its driver has none.
    init?(_ path: String) {
        device = open(path.fileName, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        let device = device
        guard device >= 0 else { return nil }
        let event = Self.clientUsage.first { number in
            var subscription = [UInt32](repeating: 0, count: Self.subscriptionLength)
            (subscription[0], subscription[2]) = (number, Self.sendsInitial)
            return ioctl(device, Self.subscribe, &subscription) == 0
        }
        guard let event else {
            close(device)
            return nil
        }
        self.event = event
    }

    deinit { close(device) }

    func isRead() throws(ToolError) -> Bool {
        var event = [UInt64](repeating: 0, count: Self.eventLength)
        while ioctl(device, Self.dequeue, &event) == 0 {
            // The type is the first number of 32 bits; the count of readers is the first of the data.
            guard UInt32(truncatingIfNeeded: event[0]) == self.event else { continue }
            hasReaders = UInt32(truncatingIfNeeded: event[1]) > 0
        }
        return hasReaders
    }
}
