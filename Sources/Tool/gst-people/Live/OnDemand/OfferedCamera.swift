import CommandKit
import GStreamerKit

/// A virtual camera that other programs see all the time, whether frames come or not.
final class OfferedCamera {
    let gate: CoverGate
    private let pipeline: GStreamer.Pipeline
    private var feed: CameraFeed?

    /// - Parameter picture: a covered frame with the caps of all frames.
    init(_ sink: VirtualCamera.Sink, _ picture: GStreamer.Sample) throws(ToolError) {
        pipeline = try .make()
        let start = "\(FramePlace.elements("frames")) ! \(VirtualCamera.copies) name=feed"
        let end = if case .elements(let elements) = sink { " ! \(elements)" } else { "" }
        let chain = try pipeline.add(chain: start + end, hasEnds: false)
        // The clock of pipewiresink (1.4) jumps when a program opens the camera.
        pipeline.element.useSystemClock()
        gate = CoverGate(try FramePlace(chain, "frames", of: pipeline.element), picture)
        switch sink {
        case .elements:
            if let pad = chain.element(named: "feed")?.pad("src") { gate.guardOutput(pad) }
        case .feed(let elements):
            feed = try CameraFeed(chain, elements) { [gate] in gate.guardOutput($0) }
        }
    }

    deinit { pipeline.element.setState(.null) }

    /// Starts the camera with a few covered frames, with which other programs see it.
    func start() throws(ToolError) {
        try pipeline.start { ToolError(liveError: $0.failure) }
        gate.open()
        gate.close()
    }

    /// Handles messages and silences; to be called several times a second.
    func check() throws(ToolError) {
        while let message = pipeline.bus.pop([.error, .latency]) {
            if message.kind == .latency {
                pipeline.element.recalculateLatency()
            } else if !VirtualCamera.hasLostReader(message.failure) {
                throw ToolError(liveError: message.failure)
            }
        }
        try feed?.check()
    }
}
