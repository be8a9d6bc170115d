/// Codes that open the page once each: the one in the printed address, and those of pages that are loaded again.
///
/// Browsers keep addresses in their history, and what pages store on the disk; a code that has been used, or whose
/// time is over, is of no use there.
struct OneTimeCodes {
    private struct Code {
        let secret: String
        /// The time at which it ends; nil for the printed one, which waits.
        let end: ContinuousClock.Instant?
    }

    private var codes: [String: Code] = [:]

    /// Time in which a page has to be loaded again.
    private static let reloading = Duration.seconds(30)
    /// Maximum number of codes of pages; the oldest goes first.
    private static let maximumCount = 32
    /// Digits of a code's name, by which it is found, and of its secret.
    private static let (nameLength, secretLength) = (8, 32)

    /// Makes a code that waits until it is used.
    mutating func make() -> String {
        let name = String(Gate.secret().prefix(Self.nameLength))
        let code = Code(secret: Gate.secret(), end: nil)
        codes[name] = code
        return name + code.secret
    }

    /// Adds the code of a page that is about to be loaded again; does nothing with one of another form.
    mutating func add(_ text: String) {
        removeEnded()
        guard let (name, secret) = Self.parts(text), codes[name] == nil else { return }
        let ending = codes.compactMap { name, code in code.end.map { (name: name, end: $0) } }
        if ending.count >= Self.maximumCount, let oldest = ending.min(by: { $0.end < $1.end }) {
            codes[oldest.name] = nil
        }
        codes[name] = Code(secret: secret, end: .now + Self.reloading)
    }

    /// Uses a code up; returns false for one that is not known, or not any more.
    mutating func use(_ text: String) -> Bool {
        removeEnded()
        guard let (name, secret) = Self.parts(text), let code = codes[name], Gate.isSame(secret, code.secret)
        else { return false }
        codes[name] = nil
        return true
    }

    /// Returns the secret of a code by its name.
    mutating func secret(named name: String) -> String? {
        removeEnded()
        return codes[name]?.secret
    }

    private mutating func removeEnded() {
        codes = codes.filter { _, code in code.end.map { $0 > .now } ?? true }
    }

    private static func parts(_ text: String) -> (name: String, secret: String)? {
        guard text.utf8.count == nameLength + secretLength, text.utf8.allSatisfy({ $0.isHexadecimal }) else {
            return nil
        }
        return (String(text.prefix(nameLength)), String(text.dropFirst(nameLength)))
    }
}

extension UInt8 {
    /// Whether it is one of the characters 0 to 9 and a to f.
    var isHexadecimal: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
