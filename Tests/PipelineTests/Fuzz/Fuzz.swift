import Foundation
import TestSupport
import Testing

/// Many inputs for one surface, made by a generator: few in the usual run, as many as `Tests/fuzz` asks for.
///
/// Each input has its own generator, so that a single input can be repeated.
struct Fuzz {
    /// The name of the surface in `Tests/fuzz`.
    let surface: String
    /// Number of inputs in the usual run.
    let usual: Int

    private static let environment = ProcessInfo.processInfo.environment

    private static func number(_ name: String) -> Int? {
        environment["PEOPLE_FUZZ_\(name)"].flatMap { Int($0) }
    }

    /// Calls `body` for each input; `body` returns the fault, or nil.
    ///
    /// The number of the input is written to a file first, where it stays after a crash.
    func run(_ body: (inout SeededGenerator) throws -> String?) throws {
        let seed = Self.number("SEED") ?? 1
        let first = Self.number("FIRST") ?? 0
        let seconds = Self.number("SECONDS")
        let count = Self.number("INPUTS") ?? (seconds == nil ? usual : .max)
        let end = seconds.map { Date(timeIntervalSinceNow: Double($0)) }
        let note =
            Self.environment["PEOPLE_FUZZ_NOTE"].map { open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o600) } ?? -1
        defer { if note >= 0 { close(note) } }
        var (index, failures) = (first, 0)
        while index - first < count, end.map({ Date() < $0 }) ?? true {
            if note >= 0 {
                let line = "\(surface) --seed \(seed) --first \(index)".padding(
                    toLength: 80, withPad: " ", startingAt: 0)
                pwrite(note, line, 80, 0)
            }
            var generator = SeededGenerator(
                seed: UInt64(bitPattern: Int64(seed)) &* 0x1_0000_0001 &+ UInt64(index))
            if let wrong = try body(&generator) {
                failures += 1
                Issue.record("Tests/fuzz \(surface) --seed \(seed) --first \(index) --inputs 1: \(wrong)")
            }
            if failures == 5 { break }
            index += 1
        }
        if Self.environment["PEOPLE_FUZZ_NOTE"] != nil {
            print("\(surface): \(index - first) inputs, seed \(seed)")
        }
    }
}

extension SeededGenerator {
    /// Returns one of `values`.
    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &self)]
    }

    /// Returns true once in `times`.
    mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

    /// Returns a whole number as outside data may contain it: mostly a limit of some range.
    mutating func wildNumber() -> Int {
        let ends = [
            0, 1, -1, 2, 3, 15, 16, 17, 255, 256, 32767, 32768, 32769, 65535, 65536, 1 << 24, Int(Int32.max),
            Int(Int32.min), Int(Int32.max) - 1, .max, .min,
        ]
        return once(in: 3) ? Int.random(in: -1000...1000, using: &self) : pick(ends)
    }

    /// Returns any floating-point value, including undefined and infinite ones.
    mutating func wildReal() -> Double {
        let ends = [
            0, -0.0, 1, -1, 0.5, 1e-300, 1e300, -1e300, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
        ]
        return once(in: 3) ? Double.random(in: -10...10, using: &self) : pick(ends)
    }

    /// Returns a text of any kind; without zero bytes, which C cannot pass.
    mutating func wildText() -> String {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: return ""
        case 1: return String(wildNumber())
        case 2: return "\(wildReal())"
        case 3:
            return String(
                repeating: pick(["a", "/", "ü", "\u{1}", "{ ", "%s%n"]), count: pick([1, 100, 70000]))
        case 4:
            return pick([
                "gray8", "f16", "f32", "fast", "true", "CPU", "../..", "/", ".", "file:///", "http://", "~",
            ])
        case 5:
            return pick([
                "/dev/null", "/proc/self/mem", "nowhere.png", "data:,x", "file:%00", "rtsp://0", "%%%",
            ])
        default:
            let count = Int.random(in: 1...40, using: &self)
            return String(
                decoding: (0..<count).map { _ in UInt8.random(in: 1...255, using: &self) }, as: UTF8.self)
        }
    }
}
