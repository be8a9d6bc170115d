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

/// Values in messages of PipeWire's protocol: each has its length and its type before it, and is padded to
/// eight bytes.
enum PipeWirePod: Equatable {
    case int(Int32)
    case text(String)
    case list([PipeWirePod])
    /// A value of another type, which is skipped.
    case other

    // Numbers of `SPA_TYPE_Id`, `SPA_TYPE_Int`, `SPA_TYPE_String` and `SPA_TYPE_Struct`.
    private static let (idType, intType, textType, listType): (UInt32, UInt32, UInt32, UInt32) =
        (3, 4, 8, 14)
    /// Depth to which lists are read; PipeWire's have three levels at most.
    private static let maximumDepth = 8

    // MARK: - Writing

    /// The value as it is sent.
    var bytes: [UInt8] {
        switch self {
        case .int(let number):
            Self.value(Self.intType, Self.word(UInt32(bitPattern: number)))
        case .text(let text): Self.value(Self.textType, Array(text.utf8) + [0])
        case .list(let values): Self.value(Self.listType, values.flatMap(\.bytes))
        case .other: []
        }
    }

    private static func value(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: padded(body.count) - body.count)
        return word(UInt32(truncatingIfNeeded: body.count)) + word(type) + body + padding
    }

    /// Returns the four bytes of a number in the order of this machine, which the protocol uses.
    static func word(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    // MARK: - Reading

    /// Reads the value at the start of `bytes`; nil when they are too few.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let value = Self.read(bytes, 0)?.value else { return nil }
        self = value
    }

    /// Returns the number at a place in `bytes`; nil beyond their end.
    static func word(_ bytes: ArraySlice<UInt8>, at place: Int) -> UInt32? {
        let start = bytes.startIndex + place
        guard place >= 0, start + 4 <= bytes.endIndex else { return nil }
        return bytes[start..<start + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    private static func read(
        _ bytes: ArraySlice<UInt8>, _ depth: Int
    ) -> (value: PipeWirePod, length: Int)? {
        guard depth < maximumDepth, let size = word(bytes, at: 0), let type = word(bytes, at: 4) else {
            return nil
        }
        let (start, length) = (bytes.startIndex + 8, Int(size))
        guard start + length <= bytes.endIndex else { return nil }
        let body = bytes[start..<start + length]
        return (value(type, body, depth), 8 + padded(length))
    }

    private static func value(_ type: UInt32, _ body: ArraySlice<UInt8>, _ depth: Int) -> PipeWirePod {
        switch type {
        case idType, intType: word(body, at: 0).map { .int(Int32(bitPattern: $0)) } ?? .other
        case textType: .text(String(decoding: body.prefix { $0 != 0 }, as: UTF8.self))
        case listType: .list(values(body, depth + 1))
        default: .other
        }
    }

    private static func values(_ body: ArraySlice<UInt8>, _ depth: Int) -> [PipeWirePod] {
        var (values, rest): ([PipeWirePod], ArraySlice<UInt8>) = ([], body)
        while let next = read(rest, depth) {
            values.append(next.value)
            rest = rest.dropFirst(next.length)
        }
        return values
    }

    private static func padded(_ count: Int) -> Int { (count + 7) & ~7 }
}

extension PipeWirePod {
    var number: Int32? { if case .int(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The values of a list; none of another value.
    var values: [PipeWirePod] { if case .list(let values) = self { values } else { [] } }

    /// Returns the text of a name in a dictionary: a list of their number, and names and texts in turns.
    func text(of name: String) -> String? {
        let values = values
        for place in stride(from: 1, to: values.count - 1, by: 2) where values[place].text == name {
            return values[place + 1].text
        }
        return nil
    }
}
