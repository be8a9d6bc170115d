import CGStreamer
import Foundation
import TestSupport
import Testing

/// Messages when OpenVINO or a model is missing, damaged or unsuitable.
///
/// Each case runs in its own process: libraries stay loaded, and the environment may be read at any time.
struct ModelFailureTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns the environment of the plugin alone, outside of the set-up in which it would find its models.
    private func alone(_ variables: [String: String?]) throws -> [String: String?] {
        try Checkout.pluginAlone(scratch).merging(variables) { $1 }
    }

    private func line(_ properties: String, _ format: String = "I420") -> String {
        "videotestsrc num-buffers=3 ! video/x-raw,format=\(format),width=64,height=48 ! "
            + "personsegment \(properties) ! fakesink"
    }

    /// Returns the only message of a pipeline that must fail.
    private func failure(_ line: String, _ environment: [String: String?]) throws -> [String: Any] {
        let result = try script("play.py", [line], environment: environment)
        #expect(!result.died)
        let messages = objects(result).filter { $0["kind"] as? String != "usage" }
        guard messages.count == 1, messages[0]["kind"] as? String == "error" else {
            throw SetupFailure("not one error: \(result.output)")
        }
        return messages[0]
    }

    private func expect(
        _ message: [String: Any], _ domain: String, _ code: UInt32,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(message["domain"] as? String == domain, sourceLocation: location)
        #expect(message["code"] as? Int == Int(code), "\(message)", sourceLocation: location)
    }

    private static let (resource, library) = ("gst-resource-error-quark", "gst-library-error-quark")

    @Test func reportsThatOpenVINOIsMissing() throws {
        let environment = try alone([
            "GST_PEOPLE_MODELS": Checkout.models.path, "GST_PEOPLE_OPENVINO": scratch.url.path,
        ])
        let message = try failure(line("quality=fast"), environment)
        expect(message, Self.resource, GST_RESOURCE_ERROR_NOT_FOUND.rawValue)
    }

    @Test func reportsThatALibraryIsNotOpenVINO() throws {
        try Data("no library".utf8).write(to: URL(fileURLWithPath: scratch.path("libopenvino_c.so.2641")))
        let message = try failure(line("quality=fast"), ["GST_PEOPLE_OPENVINO": scratch.url.path])
        expect(message, Self.library, GST_LIBRARY_ERROR_INIT.rawValue)
    }

    @Test func reportsThatAModelIsMissing() throws {
        let environment = try alone(["GST_PEOPLE_MODELS": scratch.url.path])
        let message = try failure(line("quality=fast"), environment)
        expect(message, Self.resource, GST_RESOURCE_ERROR_NOT_FOUND.rawValue)
    }

    @Test func reportsThatTheModelPathIsMissing() throws {
        let message = try failure(line("model-path=\(scratch.path("none.onnx"))"), [:])
        expect(message, Self.resource, GST_RESOURCE_ERROR_NOT_FOUND.rawValue)
    }

    @Test func reportsThatANameIsUnknown() throws {
        let environment = try alone(["GST_PEOPLE_MODELS": scratch.url.path])
        let unknown = try failure(line("model-path=nosuchmodel"), environment)
        expect(unknown, Self.resource, GST_RESOURCE_ERROR_NOT_FOUND.rawValue)
        let optional = try failure(line("model-path=rvm"), environment)
        expect(optional, Self.resource, GST_RESOURCE_ERROR_NOT_FOUND.rawValue)
    }

    @Test func reportsThatALevelTakesNoModelOfThisKind() throws {
        let model = Checkout.root.appendingPathComponent("Tests/Fixtures/accumulator.xml").path
        let message = try failure(line("quality=fast model-path=\(model)"), [:])
        expect(message, Self.resource, GST_RESOURCE_ERROR_SETTINGS.rawValue)
    }

    /// A directory that is set but has no models is reported, although there are models elsewhere.
    @Test(arguments: ["nowhere", "."])
    func reportsThatADirectoryHoldsNoModels(_ name: String) throws {
        for element in ["personsegment quality=fast", "facepose"] {
            let directory = scratch.path(name)
            let line = { (properties: String) in
                self.line("").replacingOccurrences(of: "personsegment", with: "\(element) \(properties)")
            }
            for message in [
                try failure(line("model-path=\(directory)"), [:]),
                try failure(line(""), ["GST_PEOPLE_MODELS": directory]),
            ] {
                expect(message, Self.resource, GST_RESOURCE_ERROR_NOT_FOUND.rawValue)
            }
        }
    }

    @Test(arguments: [
        ("quality=fast", "selfie_segmentation.bin"), ("quality=fast", "selfie_segmentation.xml"),
        ("quality=fast", "selfie_segmentation.json"), ("quality=balanced", "modnet.onnx"),
    ])
    func reportsThatAModelIsDamaged(_ properties: String, _ file: String) throws {
        let models = scratch.path("models")
        try FileManager.default.copyItem(
            atPath: Checkout.models.resolvingSymlinksInPath().path, toPath: models)
        let url = URL(fileURLWithPath: models + "/" + file)
        let whole = try Data(contentsOf: url)
        for data in [whole.prefix(whole.count / 2), Data()] {
            try data.write(to: url)
            let message = try failure(line(properties), ["GST_PEOPLE_MODELS": models])
            expect(message, Self.resource, GST_RESOURCE_ERROR_READ.rawValue)
        }
    }

    @Test func reportsThatAModelHoldsOtherBytes() throws {
        let models = scratch.path("models")
        try FileManager.default.copyItem(
            atPath: Checkout.models.resolvingSymlinksInPath().path, toPath: models)
        let url = URL(fileURLWithPath: models + "/selfie_segmentation.xml")
        var bytes = try Data(contentsOf: url)
        bytes[bytes.count / 2] ^= 1
        for data in [Data(count: bytes.count), bytes] {
            try data.write(to: url)
            let message = try failure(line("quality=fast"), ["GST_PEOPLE_MODELS": models])
            expect(message, Self.resource, GST_RESOURCE_ERROR_READ.rawValue)
            #expect((message["text"] as? String)?.hasPrefix("Model file '\(url.path)'") == true, "\(message)")
        }
    }

    @Test func reportsThatADeviceIsMissing() throws {
        let message = try failure(line("quality=fast device=TURBO"), [:])
        expect(message, Self.resource, GST_RESOURCE_ERROR_SETTINGS.rawValue)
    }

    @Test func gstLaunchFailsWithAMessage() throws {
        let launch = try Subprocess.launch(
            line("quality=fast device=TURBO").replacingOccurrences(of: "\"", with: ""))
        #expect(launch.status == 1 && !launch.output.isEmpty)
    }
}
