import CommandKit
import GStreamerKit

/// `gst-people control`: changes of a virtual camera that is offered on demand.
struct ControlCommand: Command {
    static let name = "control"
    static let summary = "control the virtual camera that is offered on demand"
    static let arguments = "cover|uncover|preset NAME|set PROPERTY VALUE|status"
    static let details = """
        cover shows the background only, and uncover ends that; a covered camera stays open.
        preset loads settings that were saved in the studio. The properties are the effects and
        backgrounds among the options of virtual-camera, without their dashes: set blur 60. They
        stay until the next preset or the end of the camera. status prints the camera's state.
        """
    static var options: [Option<Self>] { [] }

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        switch (arguments.first, arguments.count) {
        case ("cover", 1): try call(.cover)
        case ("uncover", 1): try call(.uncover)
        case ("preset", 2): try call(.usePreset, [arguments[1]])
        case ("set", 2): try call(.set, [arguments[1], "true"])
        case ("set", 3): try call(.set, [arguments[1], try value(arguments[2], of: arguments[1])])
        case ("status", 1): try printStatus()
        default: throw .usage("this command takes \(Self.arguments)")
        }
        return ExitCode.success.rawValue
    }

    /// The camera may run in another folder.
    private func value(_ text: String, of property: String) throws(ToolError) -> String {
        property == "background" && FileSystem.exists(text) ? FileSystem.absolute(text) : text
    }

    private func call(_ method: CameraInterface.Method, _ texts: [String] = []) throws(ToolError) {
        try call(CameraInterface.name, method.rawValue, texts) { _ in }
    }

    private func printStatus() throws(ToolError) {
        let status = try call(
            "org.freedesktop.DBus.Properties", "GetAll", [CameraInterface.name], read: CameraInterface.status)
        let lines = [
            ("state", status.state.rawValue), ("covered", status.isCovered ? "yes" : "no"),
            ("preset", status.preset), ("problem", status.problem),
        ]
        try printText(lines.map { "\($0): \($1.isEmpty ? "none" : $1)\n" }.joined())
    }

    private func call<Result>(
        _ interface: String, _ method: String, _ texts: [String], read: (OpaquePointer) -> Result
    ) throws(ToolError) -> Result {
        guard let bus = SessionBus() else {
            throw ToolError(.input, "there is no D-Bus session here.")
        }
        do throws(CallError) {
            return try bus.call(
                CameraInterface.name, CameraInterface.path, interface, method,
                texts.isEmpty ? nil : Variant.texts(texts), read: read)
        } catch {
            guard error.isUnknown else { throw ToolError(.failed, error.message) }
            throw ToolError(
                .input,
                "no camera is offered on demand: start one by \"gst-people virtual-camera --on-demand\".")
        }
    }
}
