import CGStreamer
import Foundation
import TestSupport
import Testing

/// Clips that end early, vanish, stall or change: the people stay hidden behind the last good frame.
struct ClipFaultTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// What so many more frames show, and what is posted meanwhile.
    private func play(_ stream: ClipStream, from first: Int, frames: Int) throws -> (
        numbers: [Int?], messages: [BusMessage]
    ) {
        var numbers: [Int?] = []
        for index in first..<first + frames {
            numbers.append(try stream.number(at: index * 40))
            usleep(2000)
        }
        return (numbers, stream.messages)
    }

    @Test func keepsTheLastFrameOfAClipThatVanishes() throws {
        let clip = try NumberedClip.make("clip.avi", in: scratch)
        let stream = try ClipStream("background=\(clip)")
        #expect(try stream.number(at: 0) == 0)
        // What is open can be read to its end; opening it again fails.
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
        // The next round finds something else in the same file.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: clip))
        let count = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(repeating: 0x55, count: Int(count)))
        try handle.close()
        let (numbers, messages) = try play(stream, from: 3, frames: 150)
        #expect(numbers.allSatisfy { $0.map { (0..<23).contains($0) } ?? false })
        #expect(messages.count == 1)
        let warning = messages.first
        #expect(warning?.is(.warning, gst_resource_error_quark(), GST_RESOURCE_ERROR_READ.rawValue) == true)
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

    /// A server that sends the start of a clip and then nothing.
    @Test func isNotHeldUpByAClipThatStalls() throws {
        let clip = try NumberedClip.make("clip.ts", in: scratch)
        let code = """
            import http.server, sys, time
            data = open(sys.argv[1], "rb").read()
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data[:len(data) * 7 // 10])
                    time.sleep(60)
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
        var numbers: [Int?] = []
        let start = Date()
        for index in 0..<200 { numbers.append(try stream.number(at: index * 40)) }
        // It waits for a clip that falls behind, but once and not with each frame.
        #expect(Date().timeIntervalSince(start) < 20)
        #expect(numbers == numbers.compactMap { $0 }.sorted())
        #expect((numbers.last ?? nil).map { (5..<20).contains($0) } == true)
        #expect(stream.messages == [])
    }
}
