import TestSupport
import Testing

/// Objects that GStreamer's leaks tracer finds alive when a process ends.
struct LeakTests {
    private static let clip = "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! videoscale"
    private static let frames = "videotestsrc num-buffers=20 ! video/x-raw,width=320,height=180"
    private static let picture = Checkout.astronaut.path

    static let lines = [
        "\(frames) ! personsegment quality=fast ! fakesink",
        "\(frames) ! personsegment quality=fast inference-interval=3 ! blendmask blur=30 ! fakesink",
        "\(frames) ! blendmask background=\(picture) keep-mask=true ! fakesink",
        "\(frames) ! blendmask background=\(Checkout.clip.path) background-fit=tile mirror=true ! fakesink",
        "\(frames),format=NV12 ! personsegment quality=fast ! blendmask background=\(picture) ! "
            + "video/x-raw,format=BGRx ! fakesink",
        "\(frames) ! personsegment quality=fast ! tee name=t t. ! queue ! blendmask ! fakesink "
            + "t. ! queue ! videoscale ! video/x-raw,width=160,height=90 ! videoconvert ! "
            + "video/x-raw,format=RGB ! blendmask background=\(picture) ! fakesink",
        "\(clip) ! video/x-raw,format=YUY2,width=270,height=180 ! identity eos-after=40 ! "
            + "personsegment quality=fast ! blendmask background=\(picture) ! fakesink",
        "\(clip) ! video/x-raw,format=I420,width=540,height=360 ! identity eos-after=12 ! "
            + "bodypose pose-3d=true draw=all post-messages=true ! fakesink",
    ]

    private static let tracer: [String: String?] = [
        "GST_TRACERS": "leaks", "GST_DEBUG": "GST_TRACER:7", "GST_DEBUG_NO_COLOR": "1",
    ]

    private func traced(_ line: String) throws -> Subprocess {
        try Subprocess.launch(line, environment: Self.tracer)
    }

    /// Returns the types of the objects that the tracer finds alive at the end.
    private func alive(_ result: Subprocess) -> [String] {
        result.output.matches(of: #/object-alive, type-name=\(string\)(\w+)/#).map { String($0.1) }
    }

    @Test(arguments: lines)
    func leavesNothingAlive(_ line: String) throws {
        let result = try traced(line)
        #expect(result.status == 0, "\(result.output.suffix(2000))")
        #expect(alive(result).isEmpty)
    }

    @Test func leavesNothingAliveAfterAFailure() throws {
        for properties in ["device=TURBO", "model-path=/missing.onnx"] {
            let result = try traced("\(Self.frames) ! personsegment \(properties) ! fakesink")
            #expect(result.status != 0)
            #expect(alive(result).isEmpty)
        }
        let result = try traced("\(Self.frames) ! blendmask background=/missing.png ! fakesink")
        #expect(result.status != 0)
        #expect(alive(result).isEmpty)
    }

    /// A stopped element keeps only its properties: the many chains of a program are stopped most of the
    /// time.
    @Test func stoppedElementsKeepNoScratchMemory() throws {
        ElementCase.keepModels
        let count = 8
        var chains: [Pipeline] = []
        func growth(_ feather: Int, _ effects: String) throws -> Int {
            let before = ProcessMemory.allocated
            for _ in 0..<count {
                let chain = try Pipeline(
                    "videotestsrc num-buffers=2 ! \(caps("I420", 64, 48)) ! personsegment quality=fast "
                        + "feather=\(feather) ! blendmask \(effects) ! fakesink")
                #expect(chain.play().map(\.kind) == [.endOfStream])
                chains.append(chain)
            }
            return (ProcessMemory.allocated - before) / count
        }
        _ = try growth(3, "shadow-opacity=0.7 blur=20")
        let plain = try growth(0, "")
        #expect(try growth(3, "shadow-opacity=0.7 blur=20") < plain + 200_000)
    }

    /// The tracer does report leaks: without this test, its silence would prove nothing.
    @Test func detectsALeak() throws {
        let program = """
            import gi; gi.require_version("Gst", "1.0")
            from gi.repository import Gst
            Gst.init(None); buffer = Gst.Buffer.new(); Gst.deinit()
            """
        let result = try Subprocess.run("/usr/bin/python3", ["-c", program], environment: Self.tracer)
        #expect(alive(result).contains { $0 == "GstBuffer" })
    }
}
