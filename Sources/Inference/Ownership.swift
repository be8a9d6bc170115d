import Glibc

/// Who may have written what lies in a directory.
package struct Ownership: Sendable {
    /// Those whose files may be loaded.
    private let owners: Set<uid_t>
    /// The groups that may write as well.
    private let groups: Groups

    private enum Groups {
        case none
        /// Those with no member but the owner.
        case ofOwner
        /// Any: where code lies that runs already, its group is trusted.
        case any
    }

    /// This user alone: for what only this program writes.
    static let ofUser = Ownership(owners: [geteuid()], groups: .none)

    /// This user, the system's administrator, and the owner of `file`, whose code runs already.
    static func ofCode(in file: String?) -> Ownership {
        var status = stat()
        let owner = file.flatMap { stat($0, &status) == 0 ? status.st_uid : nil }
        return Ownership(owners: Set([geteuid(), 0] + [owner].compactMap { $0 }), groups: .any)
    }

    private init(owners: Set<uid_t>, groups: Groups) { (self.owners, self.groups) = (owners, groups) }

    /// This, without groups that have other members.
    var withoutGroups: Ownership { Ownership(owners: owners, groups: .ofOwner) }

    /// Whether a file or directory belongs to one of these, and nobody else may write to it.
    func holds(_ status: stat) -> Bool {
        guard owners.contains(status.st_uid), status.st_mode & S_IWOTH == 0 else { return false }
        guard status.st_mode & S_IWGRP != 0 else { return true }
        return switch groups {
        case .none: false
        case .ofOwner: Self.isPrivate(group: status.st_gid, ofUser: status.st_uid)
        case .any: true
        }
    }

    /// Whether that is so for `directory` and those above it up to `root`, as far as they are there.
    ///
    /// Where one is missing, nobody else can make it.
    func holds(_ directory: String, upTo root: String) -> Bool {
        var status = stat()
        for path in ([directory] + FileSystem.ancestors(of: directory)) where path.count >= root.count {
            // A link of someone else's could lead to any directory of this user.
            if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
                !owners.union([0]).contains(status.st_uid)
            {
                return false
            }
            if stat(path, &status) == 0, !holds(status) { return false }
        }
        return true
    }

    /// Whether a group is one that systems make for each user, of the same name and with no other member.
    ///
    /// With these, new directories are writable by the group.
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
