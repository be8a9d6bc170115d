import CGStreamer
import Foundation
import TestSupport
import Testing

/// Clips that end early, disappear, stall or change; the last good frame hides the room.
struct ClipFaultTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns the numbers of `frames` more frames, and the messages posted meanwhile.
    private func play(_ stream: ClipStream, from first: Int, frames: Int) throws -> (
        numbers: [Int?], messages: [BusMessage]
    ) {
        var numbers: [Int?] = []
        for index in first..<first + frames { numbers.append(try stream.number(at: index * 40)) }
        return (numbers, stream.messages)
    }

    @Test func keepsTheLastFrameOfAClipThatVanishes() throws {
        let clip = try NumberedClip.make("clip.avi", in: scratch)
        let stream = try ClipStream("background=\(clip)")
        #expect(try stream.number(at: 0) == 0)
        // An open file can be read to its end, but not be opened again.
        try FileManager.default.removeItem(atPath: clip)
        let (numbers, messages) = try play(stream, from: 1, frames: 120)
        #expect(numbers.allSatisfy { $0.map { (0..<23).contains($0) } ?? false })
        #expect(messages.count <= 1)
    }

    @Test(arguments: ["avi", "mkv", "ts", "webm"])
    func survivesAClipThatIsCutShort(_ ending: String) throws {
        let clip = try NumberedClip.make("whole.\(ending)", in: scratch)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: clip))
        let cut = try scratch.file("cut.\(ending)", bytes.prefix(bytes.count * 6 / 10))
        let stream = try ClipStream("background=\(cut)")
        #expect(try stream.number(at: 0) == 0)
        let (numbers, messages) = try play(stream, from: 1, frames: 100)
        #expect(numbers.allSatisfy { $0.map { (0..<23).contains($0) } ?? false })
        #expect(messages.count <= 1 && messages.allSatisfy { $0.kind == .warning })
    }

    @Test func warnsOnceOfAClipThatFails() throws {
        let clip = try NumberedClip.make("clip.ogg", in: scratch)
        let stream = try ClipStream("background=\(clip)")
        #expect(try stream.numbers(0..<3) == [0, 1, 2])
        // The next round finds other data in the same file.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: clip))
        let count = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(repeating: 0x55, count: Int(count)))
        try handle.close()
        let (numbers, warning) = try stream.play(from: 3)
        #expect(warning?.is(.warning, gst_resource_error_quark(), GST_RESOURCE_ERROR_READ.rawValue) == true)
        let more = try play(stream, from: 3 + numbers.count, frames: 50)
        #expect((numbers + more.numbers).allSatisfy { $0.map { (0..<23).contains($0) } ?? false })
        #expect(more.messages == [])
    }

    @Test func followsAClipThatChangesItsSize() throws {
        let parts = try [
            NumberedClip.make("one.mjpg", in: scratch, frames: 0..<10),
            NumberedClip.make("two.mjpg", in: scratch, frames: 10..<20, width: 160, height: 120),
        ]
        let joined = try scratch.file(
            "both.mjpg", try parts.reduce(Data()) { $0 + (try Data(contentsOf: URL(fileURLWithPath: $1))) })
        let stream = try ClipStream("background=\(joined)")
        let numbers = try stream.numbers(0..<60).compactMap { $0 }
        #expect(numbers.count == 60)
        #expect(Set(numbers).isSuperset(of: Set(0..<18)))
    }

    /// The server sends the start of a clip, and then packets without frames, now and then.
    @Test func isNotHeldUpByAClipThatStalls() throws {
        let clip = try NumberedClip.make("clip.ts", in: scratch)
        let code = """
            import http.server, sys, time
            data = open(sys.argv[1], "rb").read()
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.write(data[:len(data) * 7 // 10 // 188 * 188])
                    while True:
                        time.sleep(0.1)
                        self.wfile.write(b"\\x47\\x1f\\xff\\x10" + bytes(184))
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            server.daemon_threads = True
            print(server.server_port, flush=True)
            server.serve_forever()
            """
        let server = try RunningProcess("/usr/bin/python3", ["-c", code, clip])
        defer { server.interrupt() }
        var port: Int?
        server.wait {
            port = server.output.split(separator: "\n").first.flatMap { Int($0) }
            return port != nil
        }
        let stream = try ClipStream("background=http://127.0.0.1:\(try #require(port))/clip.ts")
        // The clip is shown as far as it has arrived. Tests of ClipTimeline check that it is waited for only
        // once.
        var (numbers, message) = try stream.play(from: 0) { $0.map { $0 >= 5 } ?? false }
        let more = try play(stream, from: numbers.count, frames: 200)
        numbers += more.numbers
        #expect(numbers == numbers.compactMap { $0 }.sorted())
        #expect((numbers.last ?? nil).map { (5..<20).contains($0) } == true)
        #expect(message == nil && more.messages == [])
    }
}
