/// Accepts requests of the page itself only.
///
/// Other users of the machine and other pages in the browser do not know the token. What other pages send has also
/// another `Origin`, or another `Host` where their name resolves to this machine (DNS rebinding). The token is in no
/// cookie, which browsers send to all ports of a machine, and in no request's address: the page takes it from the fragment
/// of its own address, which browsers keep to themselves, and sends it in a field of the head. Pictures and events, for
/// which a page can set no such field, have a key of their own in their addresses, which is of no use for anything else.
package struct Gate {
    package let token: String
    /// Opens what the page only looks at.
    let key: String
    private let port: UInt16

    /// The largest body of a request that is no upload, in bytes.
    static let maximumMessage = 64 << 10

    package init(port: UInt16) {
        (token, key) = (Self.secret(), Self.secret())
        self.port = port
    }

    /// 128 random bits as hexadecimal digits.
    private static func secret() -> String {
        // Of the system's own generator, which cannot be predicted.
        (0..<32).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }.joined()
    }

    /// What a browser is to open.
    package var address: String { "http://127.0.0.1:\(port)/#token=\(token)" }

    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

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

    /// Whether it asks for the page itself, in which there are no secrets, and which cannot send the token yet.
    private func isPublic(_ request: HTTPExchange) -> Bool {
        request.method == "GET" && ["/", "/studio.css", "/studio.js", "/icon.svg"].contains(request.path)
    }

    /// Whether a request brings what it needs.
    func mayPass(_ request: HTTPExchange) -> Bool {
        if Self.isSame(request.header("Authorization") ?? "", "Bearer \(token)") { return true }
        return request.method == "GET" && ["/events", "/stream", "/background"].contains(request.path)
            && Self.isSame(request.query("key") ?? "", key)
    }

    /// Compares in constant time.
    private static func isSame(_ text: String, _ secret: String) -> Bool {
        let (given, expected) = (Array(text.utf8), Array(secret.utf8))
        guard given.count == expected.count else { return false }
        return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    // MARK: - Answers

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
        // Nobody has to keep connections for later; libsoup (3.2) ends those that it was handed over in any case.
        ("Connection", "close"),
    ]
}
