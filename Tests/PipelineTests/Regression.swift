import Foundation
import TestSupport

/// A stream with stored results; Tests/Goldens/regression/make_goldens.py made them and explains the fields.
struct Regression<Result: Decodable & Sendable>: Decodable, Sendable, CustomStringConvertible {
    let source, element: String
    let frames: [String: Result]

    var description: String { "\(element) \(source.contains("demovideo") ? "clip" : "portrait")" }

    /// Numbers and results of the stored frames, in the stream's order.
    var ordered: [(number: Int, result: Result)] {
        frames.compactMap { key, result in Int(key).map { ($0, result) } }.sorted { $0.0 < $1.0 }
    }

    /// Analyses the stream and calls `body` with each frame that has a stored result.
    func replay(_ body: (Frame, Int, Result) throws -> Void) throws {
        let source = source.replacingOccurrences(of: "MEDIA", with: Checkout.media.path)
        let pipeline = try Pipeline("\(source) ! \(element) ! appsink name=out sync=false")
        guard pipeline.start() else { throw SetupFailure("\(self) does not start") }
        var next = 0
        for (number, result) in ordered {
            var frame: Frame?
            for _ in next...number {
                // A limit against hangs: one mask of `accurate` takes seconds on a busy machine.
                frame = pipeline.pullSample(from: "out")
            }
            guard let frame else { throw SetupFailure("\(self) gave no frame \(number)") }
            try body(frame, number, result)
            next = number + 1
        }
    }
}

extension Regression {
    static var folder: URL { Checkout.root.appendingPathComponent("Tests/Goldens/regression") }

    /// Returns the entries of a list of goldens; none if the list is unreadable, which a test must notice.
    static func list(_ name: String) -> [Regression] {
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return [] }
        return (try? JSONDecoder().decode([Regression].self, from: data)) ?? []
    }
}
