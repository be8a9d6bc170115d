import CKernels
import Files
import Glibc

/// Bytes in memory from a file of this user that also contains their checksum.
///
/// The checksum protects from damage. The file's owner and mode protect from other users: a user who may
/// write the file could write a checksum as well.
final class SealedFile {
    /// The bytes without the checksum.
    let content: UnsafeRawBufferPointer
    private let memory: UnsafeMutableRawBufferPointer

    private static let mark: UInt64 = 0x5045_4F50_4C45_0001
    private static let sealLength = 2 * MemoryLayout<UInt64>.size
    private static let maximumBytes = 1 << 31

    /// Reads a file; nil if it is not this user's alone, cannot be read, or is not what was written as
    /// `identity`.
    init?(_ path: String, identity: String) {
        guard let memory = ModelFiles.readOwn(path, limit: Self.maximumBytes) else { return nil }
        let count = memory.count - Self.sealLength
        let content = UnsafeRawBufferPointer(rebasing: memory.prefix(max(0, count)))
        guard count > 0, memory.suffix(Self.sealLength).elementsEqual(Self.seal(content, identity)) else {
            munmap(memory.baseAddress, memory.count)
            return nil
        }
        (self.memory, self.content) = (memory, content)
    }

    deinit { munmap(memory.baseAddress, memory.count) }

    /// Writes `content` as `identity`, whole or not at all.
    static func write(_ content: UnsafeRawBufferPointer, identity: String, to path: String) -> Bool {
        let part = path + ".\(getpid())"
        unlink(part)
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let isWritten = FileSizeLimit.failing {
            let seal = seal(content, identity)
            let isWritten =
                Descriptor.write(content, to: descriptor) == 0
                && seal.withUnsafeBytes { Descriptor.write($0, to: descriptor) } == 0
            return close(descriptor) == 0 && isWritten
        }
        guard isWritten, rename(part, path) == 0 else {
            unlink(part)
            return false
        }
        return true
    }

    private static func seal(_ content: UnsafeRawBufferPointer, _ identity: String) -> [UInt8] {
        let start = Array(identity.utf8).withUnsafeBytes { checksum($0, mark) }
        return [mark, checksum(content, start)].flatMap { word in
            withUnsafeBytes(of: word.littleEndian) { Array($0) }
        }
    }

    private static func checksum(_ bytes: UnsafeRawBufferPointer, _ start: UInt64) -> UInt64 {
        let bytes = bytes.assumingMemoryBound(to: UInt8.self)
        guard let address = bytes.baseAddress else { return start }
        return kernel_checksum(address, bytes.count, start)
    }
}

extension ModelFiles {
    /// Returns the whole of a file that belongs to this user and that nobody else may write; the caller
    /// unmaps it.
    ///
    /// The file is read, not mapped: the checked bytes are those that are used, and a file that is cut off
    /// later does no harm.
    fileprivate static func readOwn(_ path: String, limit: Int) -> UnsafeMutableRawBufferPointer? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Ownership.ofUser.accepts(status), (1...limit).contains(Int(status.st_size)),
            let start = mmap(
                nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            start != MAP_FAILED
        else { return nil }
        let memory = UnsafeMutableRawBufferPointer(start: start, count: Int(status.st_size))
        guard Descriptor.read(into: memory, from: descriptor) == memory.count else {
            munmap(start, memory.count)
            return nil
        }
        return memory
    }
}

/// The users and groups that may have written the content of a directory.
package struct Ownership: Sendable {
    /// The users whose files may be loaded.
    private let owners: Set<uid_t>
    /// The groups that may also have write access.
    private let groups: Groups

    private enum Groups {
        case none
        /// Groups with no member but the owner.
        case ofOwner
        /// Any group: if a group may write where running code lies, the group is trusted.
        case any
    }

    /// This user alone, for files that only this program writes.
    static let ofUser = Ownership(owners: [geteuid()], groups: .none)

    /// Returns this user, the system's administrator, and the owner of `file`, whose code already runs.
    static func ofCode(in file: String?) -> Ownership {
        var status = stat()
        let owner = file.flatMap { stat($0, &status) == 0 ? status.st_uid : nil }
        return Ownership(owners: Set([geteuid(), 0] + [owner].compactMap { $0 }), groups: .any)
    }

    private init(owners: Set<uid_t>, groups: Groups) { (self.owners, self.groups) = (owners, groups) }

    /// These owners, without groups that have other members.
    var withoutGroups: Ownership { Ownership(owners: owners, groups: .ofOwner) }

    /// Whether a file or directory belongs to one of the owners, and nobody else may write to it.
    func accepts(_ status: stat) -> Bool {
        guard owners.contains(status.st_uid), status.st_mode & S_IWOTH == 0 else { return false }
        guard status.st_mode & S_IWGRP != 0 else { return true }
        return switch groups {
        case .none: false
        case .ofOwner: Self.isPrivate(group: status.st_gid, ofUser: status.st_uid)
        case .any: true
        }
    }

    /// Whether `directory` and the directories above it up to `root` belong to the owners, as far as they
    /// exist.
    ///
    /// Nobody else can create a missing one.
    func accepts(_ directory: String, upTo root: String) -> Bool {
        var status = stat()
        for path in ([directory] + ModelFiles.ancestors(of: directory)) where path.count >= root.count {
            // Another user's link could lead to any directory of this user.
            if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
                !owners.union([0]).contains(status.st_uid)
            {
                return false
            }
            if stat(path, &status) == 0, !accepts(status) { return false }
        }
        return true
    }

    /// Whether a group is one that systems create for each user, of the same name and with no other member.
    ///
    /// On systems with such groups, new directories are writable by the group.
    private static func isPrivate(group: gid_t, ofUser user: uid_t) -> Bool {
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        var (passwd, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        guard getpwuid_r(user, &passwd, &buffer, buffer.count, &found) == 0, found != nil,
            let userName = passwd.pw_name
        else { return false }
        let name = String(cString: userName)
        var (entry, foundEntry) = (Glibc.group(), UnsafeMutablePointer<Glibc.group>?.none)
        guard getgrgid_r(group, &entry, &buffer, buffer.count, &foundEntry) == 0, foundEntry != nil,
            let groupName = entry.gr_name, String(cString: groupName) == name
        else { return false }
        var member = entry.gr_mem
        while let text = member?.pointee {
            guard String(cString: text) == name else { return false }
            member = member?.successor()
        }
        return true
    }
}
