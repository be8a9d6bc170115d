import Foundation

/// An X server without a screen (Xvfb) on a display of its own.
public final class XServer {
    /// The value for `DISPLAY`.
    public let display: String
    private let process: RunningProcess

    /// Starts a server with one 24-bit screen of this size; nil when there is no Xvfb.
    public init?(width: Int, height: Int) throws {
        // Without -noreset the server would start anew whenever its last client leaves, and refuse the next.
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

    /// What the screen shows, as R, G, B frames.
    public func screenshot() throws -> Frame? {
        try Frame.first(
            of: "ximagesrc display-name=\(display) num-buffers=1 use-damage=false show-pointer=false",
            caps: "video/x-raw,format=RGB")
    }
}
