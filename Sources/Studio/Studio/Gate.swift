import CGStreamer

/// Access control: accepts only requests of the page itself.
///
/// Other users of the machine and other pages in the browser do not know the token. Requests of other pages
/// also have another `Origin`, or another `Host` if the page's name resolves to this machine (DNS rebinding).
/// The token is not in a cookie, because browsers send cookies to all ports of a machine, and in no address,
/// because browsers keep addresses: the page gets it for a code that works once, from the fragment of its own
/// address, which browsers do not send. It has the token in memory only, and sends it in a header field. A page
/// cannot set such a field for pictures and events; these have a separate key in their addresses, which gives
/// access to nothing else.
///
/// Before the page sends a code or the token, and again after each lost connection, the server proves that it
/// knows them: after the program has ended, another one may have its port.
package final class Gate {
    package let token: String
    /// The key for requests that only read pictures and events.
    let key: String
    private let port: UInt16
    private var codes = OneTimeCodes()
    /// The code of the printed address.
    private var code: String
    /// Whether the address has changed since `takeNewAddress`.
    private var hasNewAddress = false

    /// Maximum body of a request other than an upload, in bytes.
    static let maximumMessage = 64 << 10

    package init(port: UInt16) {
        (token, key) = (Self.secret(), Self.secret())
        self.port = port
        code = codes.make()
    }

    /// Returns 128 random bits as hexadecimal digits.
    static func secret() -> String {
        // The system's generator cannot be predicted.
        (0..<32).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }.joined()
    }

    /// The address to open in a browser, which works once.
    package var address: String { "http://127.0.0.1:\(port)/#code=\(code)" }

    /// Returns the address if the one before has been used since the last call.
    package func takeNewAddress() -> String? {
        defer { hasNewAddress = false }
        return hasNewAddress ? address : nil
    }

    // `localhost` may lead to `::1`, where another program could pass proofs on.
    private var hosts: [String] { ["127.0.0.1:\(port)"] }

    // MARK: - Sessions

    /// Returns the token for a code that has not been used; nil for another text.
    func token(for text: String) -> String? {
        guard codes.use(text) else { return nil }
        if text == code {
            code = codes.make()
            hasNewAddress = true
        }
        return token
    }

    /// Accepts the code of a page that is about to be loaded again.
    func accept(_ code: String) { codes.add(code) }

    /// Returns the proof that this program knows a secret: the HMAC-SHA256 of the page's random digits.
    ///
    /// - Parameters:
    ///   - name: `session` for the token, or the name of a code.
    ///   - nonce: hexadecimal digits.
    func proof(_ name: String, of nonce: String) -> String? {
        guard (16...64).contains(nonce.utf8.count), nonce.utf8.allSatisfy({ $0.isHexadecimal }),
            let secret = name == "session" ? token : codes.secret(named: name)
        else { return nil }
        let digits = g_compute_hmac_for_string(
            G_CHECKSUM_SHA256, secret, gsize(secret.utf8.count), nonce, gssize(nonce.utf8.count))
        defer { g_free(digits) }
        return digits.map { String(cString: $0) }
    }

    // MARK: - Requests

    /// Returns the reason why a request is refused; nil for an accepted one.
    func fault(_ request: HTTPExchange, maximumBody: Int) -> (status: UInt32, reason: String)? {
        guard let host = request.header("Host"), hosts.contains(host) else {
            return (421, "This address is not served here.")
        }
        if let origin = request.header("Origin"), origin != "http://\(host)" {
            return (403, "Another page may not do that.")
        }
        guard ["GET", "POST"].contains(request.method) else { return (405, "Only GET and POST are known.") }
        guard isPublic(request) || mayPass(request) else {
            return (401, "Open the address that gst-people studio has printed.")
        }
        let length = request.announcedLength
        guard request.method == "POST" else {
            return request.isChunked || (length ?? 0) != 0 ? (400, "GET has no body.") : nil
        }
        guard request.header("Origin") != nil else { return (403, "A browser says where it posts from.") }
        guard !request.isChunked, let length, length >= 0 else { return (411, "Say how long the body is.") }
        return length > maximumBody ? (413, "This is too large.") : nil
    }

    /// Whether a request is for the page itself, which contains no secrets, and cannot send the token yet; for a
    /// proof, or the token; or for a lifted picture, whose address is a secret of its own, since it is dragged
    /// into other programs.
    private func isPublic(_ request: HTTPExchange) -> Bool {
        if request.method == "POST" { return request.path == "/session" }
        return StudioServer.files[request.path] != nil
            || [StudioServer.words, "/lifted", "/proof"].contains(request.path)
    }

    /// Whether a request has the token, or the key that it needs.
    func mayPass(_ request: HTTPExchange) -> Bool {
        if Self.isSame(request.header("Authorization") ?? "", "Bearer \(token)") { return true }
        return request.method == "GET"
            && ["/events", "/stream", "/background", "/photo", "/recording"].contains(request.path)
            && Self.isSame(request.query("key") ?? "", key)
    }

    /// Compares two texts in constant time.
    static func isSame(_ text: String, _ secret: String) -> Bool {
        let (given, expected) = (Array(text.utf8), Array(secret.utf8))
        guard given.count == expected.count else { return false }
        return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    // MARK: - Answers

    /// Sets header fields that restrict the use of an answer by the browser.
    func protect(_ request: HTTPExchange) {
        for (name, value) in Self.headers { request.setHeader(name, value) }
    }

    private static let headers = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
                + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
        // Connections need not be kept for later requests; libsoup (3.2) ends those that were passed to it in
        // any case.
        ("Connection", "close"),
    ]
}

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
