import CGStreamer
import Foundation
import TestSupport
import Testing

/// Faults while frames flow: nothing hidden is shown, and a message is posted.
struct PlayingFaultTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns a pipeline with white frames without people, none of which may come out.
    private func line(_ properties: String, frames: Int = 6) -> String {
        "videotestsrc pattern=white num-buffers=\(frames) ! video/x-raw,format=GRAY8,width=16,height=16 "
            + "! personsegment quality=fast \(properties) ! blendmask ! filesink location=\(scratch.path("out"))"
    }

    /// Returns the bytes that came out.
    private func output() -> [UInt8] {
        (try? Data(contentsOf: URL(fileURLWithPath: scratch.path("out")))).map { Array($0) } ?? []
    }

    // MARK: - Models

    @Test func playsOnWithoutItsModelsUntilOneMustBeLoaded() throws {
        let models = scratch.path("models")
        try FileManager.default.copyItem(
            atPath: Checkout.models.resolvingSymlinksInPath().path, toPath: models)
        let frame = try ElementCase.grayFrame()
        let harness = try Harness("personsegment quality=fast model-path=\(models)", caps: frame.caps)
        #expect(MaskMeta(try harness.transform(frame)) != nil)
        try FileManager.default.removeItem(atPath: models)
        #expect(MaskMeta(try harness.transform(frame)) != nil)
        // Wide frames have their own model.
        let wide = try ElementCase.grayFrame("I420", 96, 54)
        harness.setCaps(wide.caps)
        #expect(harness.push(wide) != GST_FLOW_OK)
        #expect(harness.pull() == nil)
        let error = harness.messages().first { $0.kind == .error }
        #expect(error?.is(.error, gst_resource_error_quark(), GST_RESOURCE_ERROR_NOT_FOUND.rawValue) == true)
    }

    // MARK: - OpenVINO

    /// Returns a library that is found before OpenVINO's, in its own directory.
    private func library(_ code: String, linking: [String] = []) throws -> String {
        let source = try scratch.file("library.c", Data(code.utf8))
        let directory = scratch.path("library")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let result = try Subprocess.run(
            "cc",
            ["-shared", "-fPIC", "-D_GNU_SOURCE", source, "-o", directory + "/libopenvino_c.so"] + linking)
        guard result.status == 0 else { throw SetupFailure(result.output) }
        return directory
    }

    @Test func endsAtTheFirstInferenceThatFails() throws {
        let real = Checkout.setup.appendingPathComponent("openvino").resolvingSymlinksInPath().path
        let names = try FileManager.default.contentsOfDirectory(atPath: real)
        let name = try #require(names.first { $0.hasPrefix("libopenvino_c.so") })
        let directory = try library(
            """
            #include <dlfcn.h>
            int ov_infer_request_infer(void *request) {
                static int calls;
                int (*real)(void *) = dlsym(RTLD_NEXT, "ov_infer_request_infer");
                return ++calls > 3 ? -1 : real(request);
            }
            """, linking: ["-Wl,--no-as-needed,-rpath,\(real)", "-L\(real)", "-l:\(name)"])
        let result = try script("play.py", [line("")], environment: ["GST_PEOPLE_OPENVINO": directory])
        let error = objects(result).first { $0["kind"] as? String == "error" }
        #expect(error?["domain"] as? String == "gst-library-error-quark", "\(result.output)")
        #expect(error?["code"] as? Int == Int(GST_LIBRARY_ERROR_FAILED.rawValue))
        #expect(output().count == 3 * 256 && !output().contains { $0 > 16 })
    }

    /// A library that ends the program cannot be contained; pipelines without a model do not load it.
    @Test func aLibraryThatCrashesIsLoadedWithTheFirstModelOnly() throws {
        let directory = try library(
            "#include <stdlib.h>\n__attribute__((constructor)) void crash(void) { abort(); }")
        let environment = ["GST_PEOPLE_OPENVINO": directory]
        #expect(try Subprocess.launch(line(""), environment: environment).died)
        #expect(output().isEmpty)
        let blending = "videotestsrc num-buffers=2 ! blendmask ! fakesink"
        #expect(try Subprocess.launch(blending, environment: environment).status == 0)
        let inspect = try Subprocess.run("gst-inspect-1.0", ["personsegment"], environment: environment)
        #expect(inspect.status == 0)
    }

    // MARK: - Disk

    /// Compiled models cannot be stored; everything else goes on.
    @Test func playsWhenTheCacheCannotGrow() throws {
        let play = "ulimit -f 64; exec gst-launch-1.0 -q \(line(""))"
        let result = try Subprocess.run(
            "bash", ["-c", play], environment: ["XDG_CACHE_HOME": scratch.path("cache")])
        #expect(result.status == 0, "\(result.output)")
        #expect(output().count == 6 * 256)
    }

    // MARK: - The rest of the pipeline

    @Test(arguments: ElementCase.all)
    func stopsWhileTheSinkTakesNothing(_ element: ElementCase) throws {
        let pipeline = try Pipeline(
            "videotestsrc pattern=white ! \(caps("I420", 64, 48)) ! \(element.line) "
                + "! appsink name=sink sync=false max-buffers=1")
        for _ in 0..<2 {
            #expect(pipeline.set(state: GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS)
            #expect(element.hasWorked(on: try #require(pipeline.pullSample(from: "sink"))))
            #expect(pipeline.set(state: GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
        }
        #expect(element.complaints(pipeline.messages()) == [])
    }

    /// Half a frame does not count as a frame.
    @Test func aSourceThatDiesWithinAFrameEndsTheStream() throws {
        let play =
            "head -c 640 /dev/zero | tr '\\0' '\\377' | gst-launch-1.0 -q fdsrc ! rawvideoparse format=gray8 width=16 "
            + "height=16 framerate=25/1 ! personsegment quality=fast ! blendmask "
            + "! filesink location=\(scratch.path("out"))"
        let result = try Subprocess.run("bash", ["-c", play])
        #expect(result.status == 0, "\(result.output)")
        #expect(output().count == 2 * 256 && !output().contains { $0 > 16 })
    }
}
