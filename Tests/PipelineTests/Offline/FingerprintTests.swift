import Foundation
import TestSupport
import Testing

/// The identity of finished segments.
struct FingerprintTests {
    /// A job with another value of any property makes other frames, so each has a line.
    @Test func hasEveryPropertyOfAJob() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
        }
        let job = try text("Sources/Tool/gst-people/Video/Job.swift")
        let fields = job.components(separatedBy: "struct Job {").last?.components(separatedBy: "    init(")
            .first
        let stored = (fields ?? "").matches(of: #/    (?:private\(set\) )?(?:let|var) (\w+): /#)
            .map { String($0.1) }
        #expect(stored.count > 10 && stored.contains("compositing"))
        let fingerprint = try text("Sources/Tool/gst-people/Video/Segments/JobFingerprint.swift")
        for name in stored where !["source", "output"].contains(name) {
            #expect(fingerprint.contains("(\"\(name)\", "), "\(name)")
        }
    }
}
