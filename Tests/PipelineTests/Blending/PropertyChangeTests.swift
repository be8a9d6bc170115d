import CGStreamer
import Foundation
import TestSupport
import Testing

/// Properties that another thread changes while frames flow.
struct PropertyChangeTests {
    /// Plays a pipeline whose blendmask gets `changes` repeatedly, until `frames` frames have come out and
    /// `isDone` returns true.
    private func play(
        _ changes: [(String, String)], frames: Int, until isDone: (Frame) -> Bool = { _ in true }
    ) throws {
        let pipeline = try Pipeline(
            "videotestsrc pattern=white ! video/x-raw,format=I420,width=320,height=180 "
                + "! blendmask name=blend silent-cover=true background-color=0xff000000 ! appsink name=sink sync=false max-buffers=4"
        )
        pipeline.set(state: GST_STATE_PLAYING)
        let done = Flag()
        let changer = Thread {
            while !done.isSet { for (name, value) in changes { pipeline.set("blend", name, value) } }
            done.finish()
        }
        changer.start()
        defer { done.wait() }
        var count = 0
        let isInTime = try Patience.wait {
            count += 1
            return isDone(try #require(pipeline.pullSample(from: "sink"))) && count >= frames
        }
        #expect(isInTime)
    }

    @Test func noFrameIsTorn() throws {
        var seen: Set<[UInt8]> = []
        try play(
            [("background-color", "0xffff0000"), ("background-color", "0xff0000ff")], frames: 200
        ) { frame in
            let parts = (0..<3).map { Set(frame.samples($0).joined()) }
            #expect(parts.allSatisfy { $0.count == 1 })
            seen.insert(parts.compactMap(\.first))
            return seen.count >= 2
        }
        #expect(seen.count <= 3)
    }

    @Test func allPropertiesMayChangeWhilePlaying() throws {
        try play(
            [
                ("background-source", "original"), ("blur", "20"), ("show", "mask"), ("exposure", "-2"),
                ("background-source", "pose"), ("halo-width", "1"), ("blur", "0"), ("invert", "true"),
                ("background-source", "transparent"), ("show", "result"), ("premultiply", "true"),
                ("exposure", "0"), ("halo-width", "0"), ("background-source", "color"),
                ("shadow-opacity", "0.5"), ("invert", "false"), ("shadow-opacity", "0"),
            ], frames: 300)
    }
}

/// A flag that tells a thread to end, with a wait for its end.
private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private let ended = DispatchSemaphore(value: 0)
    private var value = false

    var isSet: Bool { lock.withLock { value } }

    func finish() { ended.signal() }

    func wait() {
        lock.withLock { value = true }
        ended.wait()
    }
}
