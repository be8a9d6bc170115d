import Glibc
import Synchronization

/// Detects that a child process for which this program waits makes no progress.
///
/// Time is counted in waits of a tenth of a second, so that a machine that sleeps, or a program that is stopped, counts none.
package struct ChildWatch: Sendable {
    /// Limits of waiting without progress.
    package struct Patience: Sendable {
        /// Tenths of a second without work, or without anything from a child that works.
        package var waits: Int
        /// Processor time in nanoseconds without anything from a child, which must have passed besides.
        package var processorTime: Int64
        /// Bytes that a child may read and write in one wait; nil for any number.
        package var transferredBytes: Int64?

        package init(waits: Int, processorTime: Int64, transferredBytes: Int64? = nil) {
            (self.waits, self.processorTime, self.transferredBytes) = (waits, processorTime, transferredBytes)
        }

        /// Patience with a child whose output is read: half a minute.
        package static let reading = Patience(waits: 300, processorTime: halfMinute)

        /// Patience with a child that encodes frames of so many pixels: half a minute, and so much processor time as the slowest
        /// encoders need for the frames that they write at once.
        ///
        /// - Parameter bytes: bytes of the files that it reads besides its input.
        package static func encoding(pixels: Int, reading bytes: Int64) -> Patience {
            let time = Int64(clamping: pixels).multipliedReportingOverflow(by: timePerPixel * framesAtOnce)
            return Patience(
                waits: 300, processorTime: max(halfMinute, time.overflow ? .max : time.partialValue),
                transferredBytes: spareBytes.adding(bytes))
        }

        /// Returns this patience with a child that was also given so many bytes.
        func given(_ bytes: Int64) -> Patience {
            var patience = self
            patience.transferredBytes = transferredBytes.map { $0.adding(bytes) }
            return patience
        }

        /// In nanoseconds.
        private static let halfMinute: Int64 = 30_000_000_000
        /// Nanoseconds: encoders of AV1 need up to a minute for a frame of 8K.
        private static let timePerPixel: Int64 = 1800
        /// Frames of a cluster of Matroska: five seconds.
        private static let framesAtOnce: Int64 = 125
        /// Bytes for what a child reads when it starts, and for a small file: 1 GiB.
        private static let spareBytes: Int64 = 1 << 30
    }

    /// A reason to give up.
    package enum Stall: Equatable, Sendable {
        /// The child waits for something.
        case idle
        /// The child works, and gives nothing.
        case busy
        /// The child reads and writes more than there is.
        case endless
    }

    /// Minimum processor time of a wait with work, in nanoseconds: an idle ffmpeg takes up to a thousandth of a second.
    private static let minimumWork: Int64 = 5_000_000
    /// Minimum of bytes in a wait with work: a shell that starts a program each second, and thereby reads libraries, has fewer.
    private static let minimumTransfer: Int64 = 1024

    private let patience: Patience
    /// The span in which nothing may have been done at all.
    private var quiet: Span
    /// The span since the child was last seen to read or write.
    private var fruitless: Span
    /// The whole wait.
    private var whole: Span

    package init(_ patience: Patience, _ activity: ChildActivity) {
        self.patience = patience
        (quiet, fruitless, whole) = (Span(activity), Span(activity), Span(activity))
    }

    /// Called after each wait of a tenth of a second in which the child has given nothing.
    ///
    /// - Returns: the reason to give up, if there is one.
    package mutating func check(_ activity: ChildActivity) -> Stall? {
        quiet.extend(to: activity)
        fruitless.extend(to: activity)
        whole.extend(to: activity)
        if let maximum = patience.transferredBytes, whole.bytes > maximum { return .endless }
        let waits = Int64(patience.waits)
        if fruitless.bytes >= Self.minimumTransfer * waits { fruitless = Span(activity) }
        if quiet.waits >= patience.waits {
            let isQuiet =
                quiet.processorTime < Self.minimumWork * waits && quiet.bytes < Self.minimumTransfer * waits
            if isQuiet { return .idle }
            quiet = Span(activity)
        }
        let isFruitless =
            fruitless.waits >= patience.waits && fruitless.processorTime >= patience.processorTime
        return isFruitless ? .busy : nil
    }

    /// Waits in succession, and what was done in them.
    private struct Span {
        var waits = 0
        var processorTime: Int64 = 0
        var bytes: Int64 = 0
        private var last: ChildActivity

        init(_ activity: ChildActivity) { last = activity }

        mutating func extend(to activity: ChildActivity) {
            waits += 1
            // What ended programs have done is no longer counted.
            processorTime &+= max(0, activity.processorTime &- last.processorTime)
            bytes &+= max(0, activity.transferredBytes &- last.transferredBytes)
            last = activity
        }
    }
}

extension Int64 {
    /// Four times a number of bytes besides: encoded frames are written, and the whole file is read and written once more to put
    /// its index in front.
    fileprivate func adding(_ bytes: Int64) -> Int64 {
        let (product, isTooLarge) = bytes.multipliedReportingOverflow(by: 4)
        let (sum, isSumTooLarge) = addingReportingOverflow(product)
        return isTooLarge || isSumTooLarge ? .max : sum
    }
}

/// Work of child processes until now; children that wait in vain do none, slow ones do some.
package struct ChildActivity: Equatable, Sendable {
    /// Children that have not been waited for, with the names of their programs.
    static let running = Mutex<[pid_t: String]>([:])

    /// Time for which processors have worked for them, in nanoseconds.
    package var processorTime: Int64 = 0
    /// Bytes that they have read and written, as far as the kernel counts them: not those of sockets.
    package var transferredBytes: Int64 = 0

    package init() {}

    /// Returns the work of a process and of those that it has started, as a script does that calls another program.
    init(of identifier: pid_t) { add(identifier, depth: 0) }

    /// Work of all running children.
    package static var current: ChildActivity {
        running.withLock { identifiers in
            var activity = ChildActivity()
            for identifier in identifiers.keys { activity.add(identifier, depth: 0) }
            return activity
        }
    }

    /// Programs of all running children, each once.
    package static var programs: [String] { running.withLock { Set($0.values) }.sorted() }

    private mutating func add(_ identifier: pid_t, depth: Int) {
        var (clock, time) = (clockid_t(), timespec())
        if clock_getcpuclockid(identifier, &clock) == 0, clock_gettime(clock, &time) == 0 {
            processorTime &+= Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        }
        // proc(5): rchar and wchar come first.
        for line in Self.lines("/proc/\(identifier)/io", count: 2) {
            transferredBytes &+= line.split(separator: " ").last.flatMap { Int64($0) } ?? 0
        }
        guard depth < Self.maximumDepth else { return }
        let children = Self.lines("/proc/\(identifier)/task/\(identifier)/children", count: 1).first ?? ""
        for child in children.split(separator: " ").compactMap({ pid_t($0) }) { add(child, depth: depth + 1) }
    }

    /// Scripts that call each other.
    private static let maximumDepth = 4

    /// Returns the first lines of a file, without their ends; none where it cannot be read.
    private static func lines(_ path: String, count: Int) -> [String] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var lines: [String] = []
        var line = [CChar](repeating: 0, count: 256)
        while lines.count < count, fgets(&line, Int32(line.count), file) != nil {
            let text = line.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
            lines.append(text?.filter { !$0.isNewline } ?? "")
        }
        return lines
    }
}
