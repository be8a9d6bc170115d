import CommandKit

/// A place in a picture, in shares of its sides from the upper left corner.
struct Place: CustomStringConvertible {
    let x: Double
    let y: Double

    /// Reads `X,Y`.
    ///
    /// - Parameter option: whose value it is.
    init(_ text: String, of option: String) throws(ToolError) {
        let shares = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard shares.count == 2, let x = shares[0], let y = shares[1], (0...1).contains(x),
            (0...1).contains(y)
        else { throw .usage("--\(option) takes a place such as 0.4,0.5, not \(text)") }
        (self.x, self.y) = (x, y)
    }

    /// As `blendmask` reads it.
    var description: String { "\(x),\(y)" }
}
