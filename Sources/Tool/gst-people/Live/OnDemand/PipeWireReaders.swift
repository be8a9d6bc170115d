import CommandKit
import FileNames
import Glibc

/// The programs that read this program's camera in PipeWire: its node runs while there are any.
///
/// It speaks PipeWire's protocol itself (version 3, PipeWire 0.3 and 1), since the element that provides the
/// camera does not tell: a registry lists the nodes, and each bound node reports its state.
final class PipeWireReaders: CameraReaders {
    /// The property by which the node is recognised: another instance has one of the same name.
    static let mark = "gst-people.process"
    static var ownMark: String { "\(getpid())" }

    // Identifiers of objects, and numbers of methods and events, as the protocol defines them.
    private static let (core, client, registry): (UInt32, UInt32, UInt32) = (0, 1, 2)
    private static let (hello, pong, getRegistry): (UInt32, UInt32, UInt32) = (1, 3, 5)
    private static let (updateProperties, bind): (UInt32, UInt32) = (2, 1)
    private static let (ping, global, globalRemove, info): (UInt32, UInt32, UInt32, UInt32) = (2, 0, 1, 0)
    private static let version: Int32 = 3
    /// The state of a node that is used.
    private static let running: Int32 = 3
    /// Bytes that are read at once.
    private static let blockLength = 1 << 14
    private static let headerLength = 16

    private struct Node {
        let global: Int32
        var isOwn = false
        var isRunning = false
    }

    private let socket: Int32
    private var received: [UInt8] = []
    private var block = [UInt8](repeating: 0, count: PipeWireReaders.blockLength)
    private var sequence: UInt32 = 0
    /// The nodes that are watched, by the identifiers that they got here.
    private var nodes: [UInt32: Node] = [:]
    private var nextIdentifier: UInt32 = 3

    var descriptor: Int32? { socket }

    /// Connects to the PipeWire of the session.
    init() throws(ToolError) {
        let path = Self.path
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0, Self.connect(socket, to: path) else {
            let reason = String(cString: strerror(errno))
            throw ToolError(.input, "no PipeWire: \(path): \(reason)")
        }
        send(Self.core, Self.hello, [.int(Self.version)])
        let name: [PipeWirePod] = [.int(1), .text("application.name"), .text("gst-people")]
        send(Self.client, Self.updateProperties, [.list(name)])
        send(Self.core, Self.getRegistry, [.int(Self.version), .int(Int32(Self.registry))])
    }

    deinit { close(socket) }

    // MARK: - Connecting

    /// The socket's path: `PIPEWIRE_REMOTE`, in `PIPEWIRE_RUNTIME_DIR` or `XDG_RUNTIME_DIR`.
    private static var path: String {
        let name = environment("PIPEWIRE_REMOTE") ?? "pipewire-0"
        if name.hasPrefix("/") { return name }
        let folder = environment("PIPEWIRE_RUNTIME_DIR") ?? environment("XDG_RUNTIME_DIR") ?? "/run"
        return "\(folder)/\(name)"
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(fileName: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func connect(_ socket: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = path.fileNameBytes
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { space in
            guard name.count < space.count else { return false }
            space.copyBytes(from: name)
            return true
        }
        guard fits else {
            errno = ENAMETOOLONG
            return false
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    // MARK: - Messages

    private func send(_ object: UInt32, _ method: UInt32, _ arguments: [PipeWirePod]) {
        let body = PipeWirePod.list(arguments).bytes
        let header = [object, method << 24 | UInt32(truncatingIfNeeded: body.count), sequence, 0]
        let message = header.flatMap { PipeWirePod.word($0) } + body
        sequence &+= 1
        // A message that cannot be sent: the connection has ended, which the next read tells.
        _ = Glibc.send(socket, message, message.count, Int32(MSG_NOSIGNAL))
    }

    func isRead() throws(ToolError) -> Bool {
        try receive()
        return nodes.values.contains { $0.isOwn && $0.isRunning }
    }

    private func receive() throws(ToolError) {
        while true {
            let count = recv(socket, &block, block.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN || errno == EINTR { break }
            guard count > 0 else { throw ToolError(.failed, "PipeWire has ended.") }
            received += block[..<count]
            handleMessages()
        }
    }

    private func handleMessages() {
        var rest = received[...]
        while let object = PipeWirePod.word(rest, at: 0), let word = PipeWirePod.word(rest, at: 4) {
            let length = Self.headerLength + Int(word & 0xff_ffff)
            guard rest.count >= length else { break }
            if let body = PipeWirePod(rest.prefix(length).dropFirst(Self.headerLength)) {
                handle(object, word >> 24, body.values)
            }
            rest = rest.dropFirst(length)
        }
        received = Array(rest)
    }

    private func handle(_ object: UInt32, _ event: UInt32, _ values: [PipeWirePod]) {
        switch (object, event) {
        case (Self.core, Self.ping): send(Self.core, Self.pong, Array(values.prefix(2)))
        case (Self.registry, Self.global): add(values)
        case (Self.registry, Self.globalRemove):
            nodes = nodes.filter { $0.value.global != values.first?.number }
        case (_, Self.info): update(object, values)
        default: break
        }
    }

    // MARK: - Nodes

    /// Watches a node of the camera's name: its identifier, permissions, type, version and properties.
    private func add(_ values: [PipeWirePod]) {
        guard values.count >= 5, let global = values[0].number, let type = values[2].text,
            type == "PipeWire:Interface:Node", values[4].text(of: "node.name") == VirtualCamera.nodeName
        else { return }
        nodes[nextIdentifier] = Node(global: global)
        let identifier = PipeWirePod.int(Int32(bitPattern: nextIdentifier))
        send(Self.registry, Self.bind, [values[0], .text(type), .int(Self.version), identifier])
        nextIdentifier &+= 1
    }

    /// Takes over a node's state and properties, which its seventh and ninth value are.
    private func update(_ object: UInt32, _ values: [PipeWirePod]) {
        guard values.count >= 9, var node = nodes[object] else { return }
        node.isRunning = values[6].number == Self.running
        // Properties are sent when they change.
        if let mark = values[8].text(of: Self.mark) { node.isOwn = mark == Self.ownMark }
        nodes[object] = node
    }
}
