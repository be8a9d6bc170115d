import Foundation
import Inference
import Testing

struct CacheLimitTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Makes a file of 1000 bytes that was used some days ago.
    private func make(_ path: String, daysAgo: Double) throws {
        let url = URL(fileURLWithPath: directory.path + "/" + path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(count: 1000).write(to: url)
        var times = [timespec](repeating: timespec(), count: 2)
        for index in 0..<2 { times[index].tv_sec = time(nil) - Int(86_400 * daysAgo) }
        #expect(utimensat(AT_FDCWD, url.path, times, 0) == 0)
    }

    private func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted()
    }

    @Test func dropsTheLeastRecentlyUsedFiles() throws {
        try make("1/models/old.blob", daysAgo: 9)
        try make("2/new.blob", daysAgo: 1)
        try make("2/older.blob", daysAgo: 3)
        try make("oldest.blob.1234", daysAgo: 10)
        CacheLimit(bytes: 4000).apply(to: directory.path)
        #expect(try names().count == 7)
        CacheLimit(bytes: 2500).apply(to: directory.path)
        #expect(try names() == ["2", "2/new.blob", "2/older.blob"])
        CacheLimit(bytes: 0).apply(to: directory.path)
        #expect(try names() == [])
        #expect(FileManager.default.fileExists(atPath: directory.path))
    }

    @Test func keepsOtherFilesAndTargetsOfLinks() throws {
        let elsewhere = try TemporaryDirectory()
        try Data(count: 10).write(to: URL(fileURLWithPath: elsewhere.path + "/a.blob"))
        try make("notes.txt", daysAgo: 99)
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/link", withDestinationPath: elsewhere.path)
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/b.blob", withDestinationPath: elsewhere.path + "/a.blob")
        CacheLimit(bytes: 0).apply(to: directory.path)
        #expect(try names() == ["b.blob", "link", "notes.txt"])
        #expect(FileManager.default.fileExists(atPath: elsewhere.path + "/a.blob"))
    }

    @Test func aFolderThatIsNotThereLeavesOthersAlone() throws {
        try make("kept.blob", daysAgo: 1)
        CacheLimit(bytes: 0).apply(to: directory.path + "/none")
        #expect(try names() == ["kept.blob"])
    }
}
