import CGStreamer
import Foundation
import TestSupport
import Testing

/// The few messages whose words users act on: the missing thing, and the option or command that helps.
///
/// All other tests check statuses, domains, codes and fields.
struct MessageWordingTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Words that the message must contain.
        let words: [String]
        /// Provokes the message, in an empty folder.
        let message: @Sendable (Scratch) throws -> String
    }

    static let rows = [
        // MARK: What to install
        tool(
            "no ffmpeg", ["video", "in.mp4", "out.mp4"], ["apt-get install ffmpeg"], addVideo,
            environment: { ["PATH": $0.url.path] }),
        tool(
            "no PipeWire", ["virtual-camera", "--pipewire"], ["apt-get install gstreamer1.0-pipewire"],
            environment: { try Checkout.pluginsWithout("libgstpipewire.so", $0) }),
        tool(
            "no virtual camera", ["virtual-camera", "--device", "/dev/video987", "--stand-in"],
            [#"modprobe v4l2loopback video_nr=987 card_label="gst-people" exclusive_caps=1"#]),
        element(
            "no models", "personsegment", ["Install gst-people again"],
            environment: { try Checkout.pluginAlone($0) }),
        element(
            "no OpenVINO", "personsegment", ["GST_PEOPLE_OPENVINO"],
            environment: {
                let models: [String: String?] = [
                    "GST_PEOPLE_MODELS": Checkout.models.path, "GST_PEOPLE_OPENVINO": $0.url.path,
                ]
                return try Checkout.pluginAlone($0).merging(models) { $1 }
            }),
        element(
            "a model that is optional", "personsegment model-path=rvm", ["pipelines/setup --with-rvm"],
            environment: {
                // Optional models are searched for beside the others, where there may be some.
                try FileManager.default.createSymbolicLink(
                    atPath: $0.path("models"), withDestinationPath: Checkout.models.path)
                let openVINO: [String: String?] = [
                    "GST_PEOPLE_OPENVINO": Checkout.setup.appendingPathComponent("openvino").path
                ]
                return try Checkout.pluginAlone($0).merging(openVINO) { $1 }
            }),
        Row(testDescription: "nothing is set up", words: ["pipelines/setup"]) { scratch in
            try Subprocess.run(
                "meson", ["setup", scratch.path("build"), Installation.shim],
                environment: ["GST_PEOPLE_SETUP_DIR": scratch.path("nothing")]
            ).output
        },

        // MARK: What cannot be read
        tool("no such input", ["video", "no.mp4", "out.mp4"], ["no.mp4"]),
        tool("no such camera", ["webcam", "--camera=/dev/video987", "--sink=fakesink"], ["/dev/video987"]),
        element("no such model", "personsegment model-path=none.onnx", ["none.onnx"]),
        element("no such background", "blendmask background=none.png", ["none.png"]),

        // MARK: Options that help
        tool("wrong option", ["video", "--colour=red"], ["--colour"]),
        tool("output exists", ["video", "in.mp4", "in.mkv"], ["--force"]) { scratch in
            try addVideo(scratch)
            _ = try scratch.file("in.mkv", Data())
        },
        tool("deep colors", ["video", "in.mp4", "out.mp4", "--quality=fast"], ["--bits=10"]) { scratch in
            let raw = "videotestsrc num-buffers=5 ! \(caps("I420_10LE", 96, 64))"
            _ = try scratch.clip("in.mp4", "\(raw) ! x264enc ! mp4mux")
        },
        tool(
            "a person who is not there", ["lift", Checkout.astronaut.path, "out.png", "--instance=2"],
            ["its people are 1 at 0."]),

        // MARK: Elements to put into the pipeline
        element("nothing makes masks", "blendmask", ["Put personsegment before blendmask"]),
        element(
            "an element drops masks",
            "personsegment quality=fast ! videoflip video-direction=horiz ! blendmask",
            ["personsegment is upstream"]),
        element(
            "times change", "personsegment quality=fast ! videorate ! video/x-raw,framerate=7/1 ! blendmask",
            ["another frame's"]),
        Row(testDescription: "no alpha downstream", words: ["videoconvert"]) { _ in
            let frame = try ElementCase.grayFrame()
            let harness = try Harness(
                "blendmask background-source=transparent", caps: frame.caps, downstream: frame.caps)
            _ = harness.push(frame)
            return harness.messages().map(\.text).joined(separator: "\n")
        },

        // MARK: Values of properties
        element("no such device", "personsegment quality=fast device=TURBO", ["TURBO", "CPU"]),
        element("ids that are none", "blendmask instances=1,,2", ["instances", "1,,2"]),
    ]

    @Test(arguments: rows)
    func messagesNameTheRemedy(_ row: Row) throws {
        let message = try row.message(try Scratch())
        for word in row.words { #expect(message.contains(word), "\(message)") }
    }

    // MARK: - Provoking

    /// Returns the output of a command of the tool in a folder that `prepare` has filled.
    private static func tool(
        _ name: String, _ arguments: [String], _ words: [String],
        _ prepare: @escaping @Sendable (Scratch) throws -> Void = { _ in },
        environment: @escaping @Sendable (Scratch) throws -> [String: String?] = { _ in [:] }
    ) -> Row {
        Row(testDescription: name, words: words) { scratch in
            try prepare(scratch)
            return try Subprocess.run(
                Tool.path, arguments, environment: environment(scratch), directory: scratch.url
            ).output
        }
    }

    /// Returns the texts of all messages of a pipeline with ninety frames and these elements.
    private static func element(
        _ name: String, _ elements: String, _ words: [String],
        environment: @escaping @Sendable (Scratch) throws -> [String: String?] = { _ in [:] }
    ) -> Row {
        Row(testDescription: name, words: words) { scratch in
            let source = "videotestsrc num-buffers=90 ! \(caps("I420", 64, 48))"
            let result = try script(
                "play.py", ["\(source) ! \(elements) ! fakesink"], environment: environment(scratch))
            return objects(result).compactMap { $0["text"] as? String }.joined(separator: "\n")
        }
    }

    private static func addVideo(_ scratch: Scratch) throws {
        _ = try scratch.clip("in.mp4", "\(Clip.video) ! mp4mux")
    }
}
