/// Accepts requests of the page itself only.
///
/// Other users of the machine and other pages in the browser do not know the token. What other pages send has also
/// another `Origin`, or another `Host` where their name resolves to this machine (DNS rebinding).
package struct Gate {
    /// 128 random bits as hexadecimal digits.
    package let token: String
    private let port: UInt16

    /// The largest body of a request that is no upload, in bytes.
    static let maximumMessage = 64 << 10

    package init(port: UInt16) {
        // Of the system's own generator, which cannot be predicted.
        token = (0..<32).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }.joined()
        self.port = port
    }

    /// What a browser is to open.
    package var address: String { "http://127.0.0.1:\(port)/?token=\(token)" }

    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }
    /// Cookies know no ports: two studios need two names.
    private var cookie: String { "gst-people-\(port)" }

    // MARK: - Requests

    /// Why a request is refused; nil for one that may pass.
    func fault(_ request: HTTPExchange, maximumBody: Int) -> (status: UInt32, reason: String)? {
        guard let host = request.header("Host"), hosts.contains(host) else {
            return (421, "This address is not served here.")
        }
        if let origin = request.header("Origin"), origin != "http://\(host)" {
            return (403, "Another page may not do that.")
        }
        guard ["GET", "POST"].contains(request.method) else { return (405, "Only GET and POST are known.") }
        guard bringsToken(request) || hasCookie(request) else {
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

    /// Whether it is the first request, by the address that was printed.
    func bringsToken(_ request: HTTPExchange) -> Bool {
        request.method == "GET" && request.path == "/" && isToken(request.query("token") ?? "")
    }

    private func hasCookie(_ request: HTTPExchange) -> Bool {
        let pairs = (request.header("Cookie") ?? "").split(separator: ";")
        return pairs.contains { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] == cookie && isToken(String(parts[1]))
        }
    }

    /// Compares in constant time.
    private func isToken(_ text: String) -> Bool {
        let (given, expected) = (Array(text.utf8), Array(token.utf8))
        guard given.count == expected.count else { return false }
        return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    // MARK: - Answers

    /// Exchanges the token for a cookie, so that it does not stay in the address.
    func welcome(_ request: HTTPExchange) {
        request.setHeader("Set-Cookie", "\(cookie)=\(token); HttpOnly; SameSite=Strict; Path=/")
        request.setHeader("Location", "/")
        request.answer(303, type: "text/plain; charset=utf-8", [])
    }

    /// What keeps a browser from doing more with an answer than it is for.
    func protect(_ request: HTTPExchange) {
        for (name, value) in Self.headers { request.setHeader(name, value) }
    }

    private static let headers = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ]
}
