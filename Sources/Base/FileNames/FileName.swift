/// Names of files as texts.
///
/// A name is any row of bytes without zero; a `String` holds nothing but UTF-8 and would replace the rest. Each byte that is not
/// UTF-8 stands in the text as a character of a range for private use, and so do the bytes of these characters themselves: no
/// two names have one text, and each text has one name.
enum EscapedByte {
    /// The character of byte 0; bytes from 0x80 on are escaped, as 0x10fe80 to 0x10feff.
    private static let base: UInt32 = 0x10fe00
    /// The byte with which the UTF-8 of all these characters begins.
    fileprivate static let first: UInt8 = 0xf4

    fileprivate static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(base + UInt32(byte)) ?? "\u{fffd}"
    }

    /// The byte that a character stands for; nil for one that stands for itself.
    static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        guard scalar.value >= base + 0x80, scalar.value <= base + 0xff else { return nil }
        return UInt8(truncatingIfNeeded: scalar.value)
    }
}

extension String {
    /// The text of a file's name.
    public init(fileName bytes: some Collection<UInt8>) {
        self.init()
        var parser = Unicode.UTF8.ForwardParser()
        var source = bytes.makeIterator()
        var rest = bytes[...]
        while true {
            switch parser.parseScalar(from: &source) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                append(EscapedByte.byte(scalar) == nil ? nil : encoded.count, of: rest, scalar)
                rest = rest.dropFirst(encoded.count)
            case .error(let length):
                append(length, of: rest, "\u{fffd}")
                rest = rest.dropFirst(length)
            case .emptyInput: return
            }
        }
    }

    /// The text of a file's name that C hands over.
    public init(fileName name: UnsafePointer<CChar>) {
        if let text = String(validatingCString: name), !text.hasEscapes {
            self = text
        } else {
            var bytes: [UInt8] = []
            var next = name
            while next.pointee != 0 {
                bytes.append(UInt8(bitPattern: next.pointee))
                next += 1
            }
            self.init(fileName: bytes)
        }
    }

    /// The name of the file that this text means, for C: with a zero at its end.
    public var fileName: [CChar] { fileNameBytes.map { CChar(bitPattern: $0) } + [0] }

    /// The bytes of the name of the file that this text means, or of a message with such names.
    public var fileNameBytes: [UInt8] {
        guard hasEscapes else { return Array(utf8) }
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            if let byte = EscapedByte.byte(scalar) {
                bytes.append(byte)
            } else {
                bytes.append(
                    contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
            }
        }
        return bytes
    }

    /// The text as others read it, where bytes have no place: U+FFFD stands for what is not UTF-8.
    public var legible: String { hasEscapes ? String(decoding: fileNameBytes, as: UTF8.self) : self }

    /// Adds one character, or the escapes of `length` bytes.
    private mutating func append(_ length: Int?, of bytes: some Collection<UInt8>, _ scalar: Unicode.Scalar) {
        guard let length else { return unicodeScalars.append(scalar) }
        for byte in bytes.prefix(length) { unicodeScalars.append(EscapedByte.scalar(byte)) }
    }

    private var hasEscapes: Bool {
        utf8.contains(EscapedByte.first) && unicodeScalars.contains { EscapedByte.byte($0) != nil }
    }
}

/// The words of the command line behind the program's name.
public var commandLineWords: [String] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { String(fileName: $0) } }
        .dropFirst().map { $0 }
}
