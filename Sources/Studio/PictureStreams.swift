import GStreamerKit
import Synchronization

/// What a viewer sees of a frame.
package enum View: String, CaseIterable {
    case result, mask
    /// What the camera gave.
    case original

    /// The tee where its branch begins: before the background is replaced, or after that.
    fileprivate var tee: String { self == .result ? "outputs" : "raw" }

    /// Pixels; viewers see the width of a page's column.
    private static let width = 640

    /// Frames are made small first, so that all that follows costs little.
    fileprivate var elements: String {
        let small = "videoscale ! capsfilter caps=video/x-raw,width=\(Self.width),pixel-aspect-ratio=1/1"
        let mask = self == .mask ? "! blendmask name=mask show=mask " : ""
        return "\(Tap.newest) ! \(small) \(mask)! videoconvert ! jpegenc quality=80 ! \(Tap.frames)"
    }
}

/// The live pictures of one view, as JPEG, for those that watch it; without any, nothing is encoded.
final class PictureStream {
    private let view: View
    private let newest = NewestFrame()
    private var tap: Tap?
    /// Who watches, and the number of the frame that was sent last.
    private var viewers: [(stream: HTTPStream, number: Int)] = []

    init(_ view: View) { self.view = view }

    var count: Int { viewers.count }

    static let type = "multipart/x-mixed-replace; boundary=frame"

    func add(_ stream: HTTPStream, _ chain: GStreamer.Element?) {
        viewers.append((stream, 0))
        stream.write(Array("--frame\r\n".utf8))
        attach(to: chain)
    }

    /// Follows a pipeline that was made again; nil when there is none.
    func attach(to chain: GStreamer.Element?, renewed: Bool = false) {
        if renewed { tap = nil }
        guard let chain, tap == nil, !viewers.isEmpty else { return }
        tap = Tap(chain, at: view.tee, view.elements) { [newest] frame in
            // Not the sample, whose caps appsink (1.22) sets once more after a seek.
            if let buffer = frame.buffer { newest.put(buffer.retained) }
        }
    }

    /// Sets a property of the mask's own `blendmask`.
    func set(_ key: SettingKey, _ text: String) {
        guard key.element == "blendmask", key.property.hasPrefix("instances") || key.property == "invert"
        else {
            return
        }
        tap?.branch.element(named: "mask")?.set(key.property, parsing: text)
    }

    /// Sends the newest frame to those that have taken the one before.
    func pump() {
        viewers.removeAll { $0.stream.isOver }
        if viewers.isEmpty, let tap {
            tap.remove()
            self.tap = nil
        }
        var part: [UInt8] = []
        for index in viewers.indices where !viewers[index].stream.isBusy {
            guard let (number, frame) = newest.get(after: viewers[index].number) else { continue }
            if part.isEmpty { part = Self.part(frame) }
            viewers[index].number = number
            viewers[index].stream.write(part)
        }
    }

    /// A frame, and the line with which browsers know that it is whole.
    private static func part(_ frame: GStreamer.Buffer) -> [UInt8] {
        let image = frame.view.withBytes { Array($0) } ?? []
        let head = "Content-Type: image/jpeg\r\nContent-Length: \(image.count)\r\n\r\n"
        return Array(head.utf8) + image + Array("\r\n--frame\r\n".utf8)
    }

    func end() { for viewer in viewers { viewer.stream.end() } }
}

/// The newest frame, with its number, between the branch's thread and the server's.
private final class NewestFrame: Sendable {
    private let state = Mutex<(number: Int, frame: GStreamer.Buffer?)>((0, nil))

    func put(_ frame: GStreamer.Buffer) {
        state.withLock { $0 = ($0.number + 1, frame) }
        MainContext.wake()
    }

    /// The frame, unless its number is that of the last one.
    func get(after number: Int) -> (number: Int, frame: GStreamer.Buffer)? {
        state.withLock { state in
            guard state.number != number, let frame = state.frame else { return nil }
            return (state.number, frame)
        }
    }
}
