import Foundation

/// An X server without a screen (Xvfb), with its own display.
public final class XServer {
    /// The value for `DISPLAY`.
    public let display: String
    private let process: RunningProcess

    /// Starts a server with one 24-bit screen of this size; nil if Xvfb is not installed.
    public init?(width: Int, height: Int) throws {
        // Without -noreset the server would restart whenever its last client leaves, and refuse the next one.
        let screen = ["-screen", "0", "\(width)x\(height)x24"]
        let options = ["-displayfd", "1", "-nolisten", "tcp", "-noreset"]
        let process = try RunningProcess("Xvfb", options + screen)
        var number: String?
        process.wait {
            number = process.output.split(separator: "\n").map(String.init).last { Int($0) != nil }
            return number != nil
        }
        guard let number else { return nil }
        self.process = process
        display = ":" + number
    }

    deinit {
        process.interrupt()
        _ = process.finish(within: 5)
    }

    /// Returns the contents of the screen, as an RGB frame.
    public func screenshot() throws -> Frame? {
        try Frame.first(
            of: "ximagesrc display-name=\(display) num-buffers=1 use-damage=false show-pointer=false",
            caps: "video/x-raw,format=RGB")
    }
}
