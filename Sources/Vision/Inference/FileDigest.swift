import CKernels
import Files
import Glibc
import Synchronization

/// Computes the SHA-256 of bytes that arrive in pieces, each but the last a multiple of 64 bytes.
package struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var count: UInt64 = 0
    private let allowsInstructions: Bool

    /// Creates an empty hash; `allowsInstructions` permits the processor's own instructions for it.
    package init(allowsInstructions: Bool = true) { self.allowsInstructions = allowsInstructions }

    /// Adds bytes, a multiple of 64.
    package mutating func add(_ blocks: UnsafeRawBufferPointer) {
        guard let address = blocks.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        kernel_sha256_blocks(&state, address, blocks.count / 64, allowsInstructions ? 1 : 0)
        count &+= UInt64(blocks.count)
    }

    /// Adds the last bytes.
    ///
    /// - Returns: the hash in hexadecimal digits.
    package mutating func finish(_ last: UnsafeRawBufferPointer) -> String {
        let whole = last.count / 64 * 64
        add(UnsafeRawBufferPointer(rebasing: last.prefix(whole)))
        var rest = Array(last.dropFirst(whole))
        let bits = (count &+ UInt64(rest.count)) &* 8
        rest.append(0x80)
        rest += repeatElement(0, count: (119 - (rest.count - 1)) % 64)
        rest += withUnsafeBytes(of: bits.bigEndian) { Array($0) }
        rest.withUnsafeBytes { add($0) }
        return state.map(Self.hexadecimal).joined()
    }

    private static func hexadecimal(_ word: UInt32) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

/// The hashes of the files that this process has read; each file is read once while it stays the same.
enum FileDigests {
    /// The properties of a file that change when the file changes.
    private struct Version: Equatable {
        let device: dev_t
        let number: ino_t
        let bytes: off_t
        let times: [Int]

        init(_ status: stat) {
            (device, number, bytes) = (status.st_dev, status.st_ino, status.st_size)
            times = [status.st_mtim.nanoseconds, status.st_ctim.nanoseconds]
        }
    }

    private static let known = Mutex<[String: (version: Version, digest: String)]>([:])
    /// Bytes read at a time, a multiple of 64.
    private static let chunk = 1 << 20

    /// Returns the SHA-256 of a file in hexadecimal digits.
    ///
    /// - Throws: ``InferenceError/modelUnreadable(path:why:)``, ``InferenceError/resourcesExhausted(why:)``.
    static func sha256(of path: String) throws(InferenceError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path, errno) }
        let version = Version(status)
        if let entry = known.withLock({ $0[path] }), entry.version == version { return entry.digest }
        let digest = try sha256(of: path, descriptor)
        known.withLock { $0[path] = (version, digest) }
        return digest
    }

    private static func sha256(of path: String, _ descriptor: Int32) throws(InferenceError) -> String {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 64)
        defer { memory.deallocate() }
        var hash = SHA256()
        while true {
            let count = Descriptor.read(into: memory, from: descriptor)
            guard count >= 0 else { throw .unreadable(path, errno) }
            let bytes = UnsafeRawBufferPointer(rebasing: memory.prefix(count))
            guard count == chunk else { return hash.finish(bytes) }
            hash.add(bytes)
        }
    }
}

extension ModelInfo {
    /// Compares the model's files with the hashes in its description.
    ///
    /// - Throws: ``InferenceError/modelCorrupt(path:why:)`` for another hash, ``InferenceError/modelUnreadable(path:why:)``,
    ///   ``InferenceError/resourcesExhausted(why:)``.
    func checkFiles() throws(InferenceError) {
        for (path, expected) in digests.sorted(by: { $0.key < $1.key }) {
            let found = try FileDigests.sha256(of: path)
            guard found == expected else {
                throw .modelCorrupt(path: path, why: "its SHA-256 is \(found) instead of \(expected)")
            }
        }
    }
}
