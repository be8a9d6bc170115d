package import CommandKit
import Glibc

/// Packets of a file's streams: how many there are, and when they are presented; nothing is decoded.
package struct PacketIndex: Sendable {
    /// Packets of one stream.
    package struct Stream: Sendable {
        /// Packets that are presented; a cut without encoding leaves others in the file.
        package fileprivate(set) var count = 0
        /// Packets whose time is not known.
        package fileprivate(set) var untimed = 0
        /// First time, in ticks of the stream's time base; nil when no packet has one.
        package fileprivate(set) var first: Int?
        /// End of the packet that ends last, in ticks.
        package fileprivate(set) var end: Int?
        /// Ticks of the packet that is presented last.
        package fileprivate(set) var lastDuration = 0
        /// Sum of the durations of all packets, in ticks.
        package fileprivate(set) var duration = 0
        /// Bytes of all packets.
        package fileprivate(set) var bytes = 0
        /// Times of all packets with one, in the order of the file; of the stream in question only.
        package fileprivate(set) var times: [Int] = []
        /// Times of packets that can be decoded without others, likewise.
        package fileprivate(set) var keys: [Int] = []
        fileprivate var last: Int?
    }

    package private(set) var streams: [Int: Stream] = [:]
    /// Messages of ffmpeg while it read the file.
    package private(set) var diagnostics = Diagnostics()

    /// Reads all packets of a file.
    ///
    /// - Parameters:
    ///   - input: the file.
    ///   - video: index of the stream whose times are kept.
    package init(of input: MediaInput, video: Int) throws(ToolError) {
        var streams: [Int: Stream] = [:]
        diagnostics = try FFmpeg.probe(
            ["-show_entries", "packet=stream_index,pts,duration,size,flags", "-of", "csv=p=0"]
                + input.arguments
        ) { line in
            guard let packet = Packet(line) else { return }
            streams[packet.stream, default: Stream()].add(packet, keepsTimes: packet.stream == video)
        }
        self.streams = streams
    }
}

/// One line of ffprobe: `0,1024,512,4096,K__`; a time that is not known is `N/A`.
private struct Packet {
    let stream: Int
    let time: Int?
    let duration: Int
    let bytes: Int
    let isKey: Bool
    let isDiscarded: Bool

    init?(_ line: UnsafePointer<CChar>) {
        var place = UnsafeMutablePointer(mutating: line)
        func field() -> Int? {
            var end: UnsafeMutablePointer<CChar>?
            let value = strtol(place, &end, 10)
            let isNumber = end != place
            // What is no number ends at the next comma, too.
            while place.pointee != 0, place.pointee != CChar(bitPattern: UInt8(ascii: ",")) { place += 1 }
            if place.pointee != 0 { place += 1 }
            return isNumber ? value : nil
        }
        guard let stream = field() else { return nil }
        (self.stream, time, duration, bytes) = (stream, field(), field() ?? 0, field() ?? 0)
        let flags = String(cString: place)
        (isKey, isDiscarded) = (flags.hasPrefix("K"), flags.dropFirst().hasPrefix("D"))
    }
}

extension PacketIndex.Stream {
    fileprivate mutating func add(_ packet: Packet, keepsTimes: Bool) {
        guard !packet.isDiscarded else { return }
        count += 1
        bytes &+= packet.bytes
        duration &+= packet.duration
        guard let time = packet.time else {
            untimed += 1
            return
        }
        first = min(first ?? time, time)
        end = max(end ?? time, time &+ packet.duration)
        if time >= last ?? time { (last, lastDuration) = (time, packet.duration) }
        guard keepsTimes else { return }
        times.append(time)
        if packet.isKey { keys.append(time) }
    }
}
