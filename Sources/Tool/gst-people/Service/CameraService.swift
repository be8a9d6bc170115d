import CommandKit
import FileNames
import Glibc
import MediaFiles

/// The service of systemd that offers the virtual camera in the user's sessions.
struct CameraService {
    /// The words of the command that offers the camera, without the program.
    let words: [String]

    static let name = "gst-people-camera"

    private static var folder: String { FileSystem.userConfiguration + "/systemd/user" }

    /// The unit, and the template whose instances are presets.
    private static let files = ["\(name).service", "\(name)@.service"]

    // MARK: - Installing

    /// Writes the units for this user, and starts the service.
    func install() throws(ToolError) {
        try FileSystem.makeFolder(Self.folder)
        for (file, text) in zip(Self.files, [unit(), unit(more: "\"--preset=%I\"")]) {
            let path = "\(Self.folder)/\(file)"
            guard FileSystem.write(text, to: path) else { throw FileSystem.unwritable(path) }
            try printText("written: \(path)\n")
        }
        try Self.run([["daemon-reload"], ["enable", "--now", "\(Self.name).service"]])
    }

    /// Stops the service, and removes what `install` wrote.
    static func uninstall() throws(ToolError) {
        let installed = files.map { "\(folder)/\($0)" }.filter(FileSystem.exists)
        guard !installed.isEmpty else { throw ToolError(.input, "there is no \(folder)/\(files[0]).") }
        try run([["disable", "--now", "\(name).service"]])
        for path in installed {
            guard unlink(path.fileName) == 0 else { throw FileSystem.unwritable(path) }
            try printText("removed: \(path)\n")
        }
        try run([["daemon-reload"]])
    }

    /// Tells systemd; where it does not answer, the user gets the commands.
    private static func run(_ commands: [[String]]) throws(ToolError) {
        for (index, command) in commands.enumerated() {
            let words = ["--user"] + command
            let hasWorked: Bool
            do throws(ToolError) {
                hasWorked = try ChildProcess("systemctl", words, pipes: []).finish()
            } catch { hasWorked = false }
            guard !hasWorked else { continue }
            let rest = commands[index...].map { "  systemctl --user " + $0.joined(separator: " ") }
            return printDiagnostic(
                "systemd did not answer. In a session of this user:\n" + rest.joined(separator: "\n"))
        }
    }

    // MARK: - The unit

    /// The program that the service runs: in a checkout the script that sets its environment.
    private var program: String {
        Checkout.root.map { $0 + "/pipelines/gst-people" } ?? Checkout.program ?? "gst-people"
    }

    /// Returns the text of the unit; names of files in the options are relative to the current folder.
    ///
    /// - Parameter more: further words of the command, as the unit has them.
    private func unit(more: String = "") -> String {
        let command = ([program] + words).map(Self.quoted) + (more.isEmpty ? [] : [more])
        return """
            [Unit]
            Description=Virtual camera with the background replaced
            Documentation=man:gst-people(1)
            After=pipewire.service wireplumber.service

            [Service]
            WorkingDirectory=\(FileSystem.absolute(".").map { $0 == "%" ? "%%" : "\($0)" }.joined())
            ExecStart=\(command.joined(separator: " "))
            Restart=on-failure
            RestartSec=5
            \(Self.hardening)

            [Install]
            WantedBy=default.target

            """
    }

    /// Limits of the service: no network, the system and the home folder read-only but for caches.
    ///
    /// The inference runtime makes code while it runs, so that memory cannot be kept from becoming code.
    private static let hardening = """
        NoNewPrivileges=yes
        RestrictAddressFamilies=AF_UNIX AF_NETLINK
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallErrorNumber=EPERM
        LockPersonality=yes
        RestrictNamespaces=yes
        RestrictSUIDSGID=yes
        ProtectSystem=strict
        ProtectHome=read-only
        ReadWritePaths=-%C/gst-people -%C/gstreamer-1.0
        PrivateTmp=yes
        UMask=0077
        """

    /// Returns a word as units have it: in quotes, without specifiers and variables.
    private static func quoted(_ word: String) -> String {
        let escapes: [Character: String] = [
            "\"": "\\\"", "\\": "\\\\", "%": "%%", "$": "$$", "\n": "\\n",
        ]
        return "\"" + word.map { escapes[$0] ?? "\($0)" }.joined() + "\""
    }
}
