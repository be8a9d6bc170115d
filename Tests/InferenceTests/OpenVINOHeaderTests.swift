import Foundation
import Testing

/// The project's header, compared with the official ones of the installed version by the C compiler.
@Suite(.enabled(if: Place.exists(Place.setUp + "/include"), "needs .gst-people/include: run pipelines/setup"))
struct OpenVINOHeaderTests {
    private let header = Place.checkout.appending(path: "Sources/Vision/COpenVINO/openvino_c.h")

    @Test func structuresEqualThoseOfOpenVINO() throws {
        try check(["-DCHECK_STRUCTURES"])
    }

    @Test func functionsHaveTheTypesOfOpenVINO() throws {
        let names = try functionNames()
        #expect(names.count > 20)
        try check(["-DCHECK_FUNCTIONS", "-DSAME_FUNCTIONS=" + names.map { "SAME_FUNCTION(\($0))" }.joined()])
    }

    @Test func aWrongTypeIsDetected() throws {
        let wrong = "-DSAME_FUNCTIONS=SAME_TYPE(__typeof__(&ov_free), ov_model_free_fn);"
        #expect(try !compile(["-DCHECK_FUNCTIONS", wrong]).isEmpty)
    }

    /// Returns the names of every `typedef ... (*name_fn)(...)` in the project's header.
    private func functionNames() throws -> [String] {
        let text = try String(contentsOf: header, encoding: .utf8)
        return text.matches(of: /\(\*(\w+)_fn\)/).map { String($0.output.1) }
    }

    private func check(_ arguments: [String]) throws {
        #expect(try compile(arguments) == "")
    }

    /// Returns the messages of the compiler.
    private func compile(_ arguments: [String]) throws -> String {
        let compiler = Process()
        let messages = Pipe()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments =
            ["cc", "-std=gnu11", "-fsyntax-only", "-I" + Place.setUp + "/include"]
            + ["-I" + header.deletingLastPathComponent().path] + arguments
            + [Place.fixtures + "/header_check.c"]
        compiler.standardError = messages
        try compiler.run()
        let output = messages.fileHandleForReading.readDataToEndOfFile()
        compiler.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
