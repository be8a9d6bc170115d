import CommandKit
import FileNames
import Glibc
import MediaFiles

/// Joins the segments of a video, and adds all else of the input; frames are not encoded again.
struct VideoJoiner {
    private let plan: VideoPlan
    private let folder: WorkFolder
    private let path: String

    /// - Parameter path: the file to write.
    init(_ plan: VideoPlan, _ folder: WorkFolder, writingTo path: String) {
        (self.plan, self.folder, self.path) = (plan, folder, path)
    }

    /// Works to the end.
    ///
    /// - Returns: times of the frames, in ticks of the input's track, ascending.
    func run(_ report: () -> Void) throws(ToolError) -> [Int] {
        var output: FrameEncoder?
        var times: [Int] = []
        do throws(ToolError) {
            for number in folder.segments.indices {
                try copy(number, to: &output, &times)
                if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
                report()
            }
            try output?.finish()
        } catch {
            output?.stop()
            throw error
        }
        return times.sorted()
    }

    private func copy(_ number: Int, to output: inout FrameEncoder?, _ times: inout [Int]) throws(ToolError) {
        guard try SegmentSeal.isIntact(folder.file(number)) else { throw damaged(number) }
        let descriptor = open(folder.file(number).fileName, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileSystem.unwritable(folder.file(number)) }
        defer { close(descriptor) }
        guard var reader = try NUTReader.open(descriptor) else { throw damaged(number) }
        var bytes: [UInt8] = []
        let unit = plan.input.unit
        while var packet = try reader.next() {
            packet.time = packet.time.rescaled(from: reader.track.timeBase, to: unit)
            bytes.removeAll(keepingCapacity: true)
            bytes.append(contentsOf: repeatElement(0, count: packet.byteCount))
            try read(&reader, into: &bytes)
            let encoder: FrameEncoder
            if let output {
                encoder = output
            } else {
                encoder = try start(reader.track, first: packet.time)
                output = encoder
            }
            try write(bytes, packet, to: encoder)
            times.append(packet.time)
        }
    }

    private func start(_ track: NUTTrack, first: Int) throws(ToolError) -> FrameEncoder {
        var track = track
        (track.timeBase, track.rate) = (plan.input.unit, plan.format.rate)
        let arguments = plan.muxing(to: path).copyingArguments(first: first, delay: track.decodeDelay)
        return try FrameEncoder(track, arguments, reading: plan.input, writing: plan.job.output)
    }

    private func read(_ reader: inout NUTReader, into bytes: inout [UInt8]) throws(ToolError) {
        var outcome: Result<Void, ToolError> = .success(())
        bytes.withUnsafeMutableBytes { bytes in
            do throws(ToolError) { try reader.read(into: bytes) } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    private func write(_ bytes: [UInt8], _ packet: NUTPacket, to encoder: FrameEncoder) throws(ToolError) {
        var outcome: Result<Void, ToolError> = .success(())
        bytes.withUnsafeBytes { bytes in
            do throws(ToolError) { try encoder.write(bytes, packet) } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    private func damaged(_ number: Int) -> ToolError {
        ToolError(
            .failed,
            "\(folder.file(number)) has changed since it was written. Give the same command again to replace it."
        )
    }
}
