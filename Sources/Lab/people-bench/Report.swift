/// Prints one row for each measured thing.
enum Report {
    static func header() {
        row("what", "size", "format", "median ms", "90 % ms", "max ms", "min ms", "x memcpy")
    }

    /// Prints the row of a measurement.
    ///
    /// - Parameters:
    ///   - times: one per frame; the caller leaves out the first few.
    ///   - copies: times of copies of as many bytes, taken in turns; the two minimums are compared.
    static func row(
        _ what: String, _ size: Size2D, _ format: String, _ times: [Duration], copies: [Duration] = []
    ) {
        let sorted = times.sorted()
        guard let minimum = sorted.first, let maximum = sorted.last else { return }
        row(
            what, size.description, format, milliseconds(sorted[sorted.count / 2]),
            milliseconds(sorted[sorted.count * 9 / 10]), milliseconds(maximum), milliseconds(minimum),
            copies.min().map { ratio(minimum, to: $0) } ?? "")
    }

    private static func row(_ columns: String...) {
        let widths = [50, 10, 10, 10, 10, 10, 10, 10]
        let cells = zip(columns, widths).enumerated().map { index, cell in
            index < 3
                ? cell.0 + String(repeating: " ", count: max(0, cell.1 - cell.0.count))
                : right(cell.0, cell.1)
        }
        print(cells.joined(separator: " "))
    }

    /// Returns a number right-aligned in a column.
    static func right(_ number: Int, _ width: Int) -> String { right(String(number), width) }

    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// Returns the ratio of two durations, to a tenth.
    private static func ratio(_ time: Duration, to other: Duration) -> String {
        let tenths = Int((time / other * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func milliseconds(_ time: Duration) -> String {
        let micro = Int(time / .microseconds(1))
        let fraction = String(micro % 1000)
        return "\(micro / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}

/// Measures `body` repeatedly; the first runs, which load caches and tables, do not count.
func measure(frames: Int, _ body: () throws -> Void) rethrows -> [Duration] {
    let clock = ContinuousClock()
    for _ in 0..<3 { try body() }
    return try (0..<frames).map { _ in try clock.measure(body) }
}

/// Measures two functions in turns.
func measure(
    frames: Int, _ body: () throws -> Void, _ other: () throws -> Void
) rethrows -> ([Duration], [Duration]) {
    var (times, others): ([Duration], [Duration]) = ([], [])
    let clock = ContinuousClock()
    for index in 0..<(frames + 3) {
        let (time, other) = (try clock.measure(body), try clock.measure(other))
        guard index >= 3 else { continue }
        times.append(time)
        others.append(other)
    }
    return (times, others)
}
