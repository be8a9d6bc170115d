import Foundation
import TestSupport
import Testing

/// A port for the studio's page that this user may not open.
struct StudioPortTests {
    private static let isKept: Bool = {
        let text = try? String(
            contentsOfFile: "/proc/sys/net/ipv4/ip_unprivileged_port_start", encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .newlines)) }.map { $0 > 80 } ?? false
    }()

    @Test(.enabled(if: isKept, "everybody may use small ports")) func smallPortsNeedRoot() throws {
        let other = getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"]
        let arguments = [Tool.path, "studio", "--stand-in", "--port=80"]
        let result = try Subprocess.run(other[0], other.dropFirst() + arguments)
        #expect(result.status == 1 && result.output.contains("for root"), "\(result.output)")
    }
}
