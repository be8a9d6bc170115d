import Glibc

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
