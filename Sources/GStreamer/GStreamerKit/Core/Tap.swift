/// A temporary branch at a `tee` of a running pipeline.
package final class Tap {
    private let chain: GStreamer.Element
    private let tee: GStreamer.Element
    private let source: GStreamer.Pad
    package let branch: GStreamer.Element

    /// - Parameters:
    ///   - chain: the bin that contains the tee and gets the branch.
    ///   - elements: pipeline description of the branch. It begins with a queue and ends with an `appsink`
    ///     called `frames`.
    ///   - onFrame: called with each frame, on the branch's thread.
    package init?(
        _ chain: GStreamer.Element, at tee: String, _ elements: String,
        onFrame: @escaping @Sendable (GStreamer.Sample) -> Void
    ) {
        guard let tee = chain.element(named: tee), let branch = try? GStreamer.Element(parsing: elements),
            let frames = GStreamer.AppSink(branch.element(named: "frames")), let input = branch.pad("sink"),
            let source = tee.requestPad("src_%u")
        else { return nil }
        (self.chain, self.tee, self.source, self.branch) = (chain, tee, source, branch)
        frames.setCallbacks(
            onSample: { sink in
                if let frame = sink.pull(within: 0) { onFrame(frame) }
                return true
            }, onEnd: {})
        chain.add(branch)
        guard branch.syncStateWithParent(), source.link(to: input) else {
            remove()
            return nil
        }
    }

    /// Removes the branch between two frames.
    package func remove() {
        source.addProbe(.idle) { [chain, tee, branch] info in
            if let input = branch.pad("sink") { info.pad.unlink(from: input) }
            branch.setState(.null)
            chain.remove(branch)
            tee.release(info.pad)
            return .remove
        }
    }

    /// A queue that keeps only the newest frame, for branches that may be slow.
    package static let newest = "queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0"
    /// An appsink for `init`, which never delays the other branches.
    package static let frames = "appsink name=frames sync=false async=false max-buffers=1 drop=true"
}
