import GStreamerKit
import Synchronization

/// The kinds of pictures that viewers can watch.
package enum View: String, CaseIterable {
    case result, mask
    /// The camera's frames.
    case original
    /// The people's bodies in space.
    case space

    /// The name of the tee at which the view's branch begins: before or behind the replacement of the
    /// background.
    fileprivate var tee: String { self == .result ? "outputs" : "raw" }

    /// Widths of pictures in pixels, for small and large screens; the first is used unless one is asked for.
    static let widths = [640, 960, 1280, 1920]

    /// The media type of the answer.
    var type: String { self == .space ? "text/event-stream" : "multipart/x-mixed-replace; boundary=frame" }

    /// Returns the elements of the branch; frames wider than `width` are made small first, so that the rest
    /// costs little.
    fileprivate func elements(_ width: Int) -> String {
        if self == .space { return "\(Tap.newest) ! bodypose pose-3d=true ! \(Tap.frames)" }
        let small =
            "videoscale add-borders=false ! capsfilter caps=video/x-raw,width=[1,\(width)],pixel-aspect-ratio=1/1"
        let mask = self == .mask ? "! blendmask name=mask show=mask " : ""
        return "\(Tap.newest) ! \(small) \(mask)! videoconvert ! jpegenc quality=80 ! \(Tap.frames)"
    }
}

/// The live pictures of one view, as JPEG, or its scenes, as events; nothing is made while there are no viewers.
final class PictureStream {
    let view: View
    /// Maximum width in pixels.
    let width: Int
    private let scene: (GStreamer.Buffer) -> String
    private var newest = NewestFrame()
    private var tap: Tap?
    /// The viewers, each with the number of the frame that was sent last.
    private var viewers: [(stream: HTTPStream, number: Int)] = []

    /// - Parameter scene: returns the bodies of an analysed frame in space, as glTF.
    init(_ view: View, width: Int, _ scene: @escaping (GStreamer.Buffer) -> String) {
        (self.view, self.width, self.scene) = (view, width, scene)
    }

    var count: Int { viewers.count }

    func add(_ stream: HTTPStream, _ chain: GStreamer.Element?) {
        viewers.append((stream, 0))
        if view != .space { stream.write(Array("--frame\r\n".utf8)) }
        attach(to: chain)
    }

    /// Attaches the branch to a pipeline; `renewed` after the pipeline was replaced, nil when there is none.
    func attach(to chain: GStreamer.Element?, renewed: Bool = false) {
        if renewed { tap = nil }
        guard let chain, tap == nil, !viewers.isEmpty else { return }
        newest = NewestFrame()
        tap = Tap(chain, at: view.tee, view.elements(width)) { [newest] frame in
            // Not the sample, whose caps appsink (1.22) sets once more after a seek.
            if let buffer = frame.buffer { newest.put(buffer.retained) }
        }
    }

    /// Sets a property of the `blendmask` in the branch of the view `mask`.
    func set(_ key: SettingKey, _ text: String) {
        guard key.element == "blendmask",
            key.property.hasPrefix("instances") || key.property == "invert"
        else {
            return
        }
        tap?.branch.element(named: "mask")?.set(key.property, parsing: text)
    }

    /// Sends the newest frame to the viewers that have received the previous one.
    func pump() {
        viewers.removeAll { $0.stream.isOver }
        if viewers.isEmpty, let tap {
            tap.remove()
            self.tap = nil
        }
        var part: [UInt8] = []
        for index in viewers.indices where !viewers[index].stream.isBusy {
            guard let (number, frame) = newest.get(after: viewers[index].number) else { continue }
            if part.isEmpty { part = self.part(frame) }
            viewers[index].number = number
            viewers[index].stream.write(part)
        }
    }

    /// Returns a scene, or a frame with its header and the line that marks it as complete for browsers.
    private func part(_ frame: GStreamer.Buffer) -> [UInt8] {
        if view == .space { return Array("data: \(scene(frame))\n\n".utf8) }
        let image = frame.view.withBytes { Array($0) } ?? []
        let head = "Content-Type: image/jpeg\r\nContent-Length: \(image.count)\r\n\r\n"
        return Array(head.utf8) + image + Array("\r\n--frame\r\n".utf8)
    }

    func end() { for viewer in viewers { viewer.stream.end() } }
}

/// The newest frame and its number, shared by the branch's thread and the server's.
private final class NewestFrame: Sendable {
    private let state = Mutex<(number: Int, frame: GStreamer.Buffer?)>((0, nil))

    func put(_ frame: GStreamer.Buffer) {
        state.withLock { $0 = ($0.number + 1, frame) }
        MainContext.wake()
    }

    /// Returns the frame; nil if its number is `number`.
    func get(after number: Int) -> (number: Int, frame: GStreamer.Buffer)? {
        state.withLock { state in
            guard state.number != number, let frame = state.frame else { return nil }
            return (state.number, frame)
        }
    }
}
