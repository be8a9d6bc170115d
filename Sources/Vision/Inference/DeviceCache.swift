import Glibc

/// OpenVINO's own cache, for devices whose properties are unknown; this type seals the files in it.
struct DeviceCache {
    /// The folder, `CACHE_DIR` of OpenVINO.
    let directory: String

    /// Creates the folder; nil if that fails, or if the folder may be another user's work.
    init?(of info: ModelInfo, in cacheDirectory: String?) {
        guard let cacheDirectory, let stamp = info.stamp else { return nil }
        let digests = info.digests.values.sorted().map { $0.prefix(16) }.joined(separator: "-")
        directory = cacheDirectory + "/device-" + stamp + "-" + digests
        guard ModelFiles.makeWritableDirectory(directory),
            Ownership.ofUser.accepts(directory, upTo: cacheDirectory)
        else { return nil }
    }

    private var blobs: [String] {
        ModelFiles.names(in: directory).filter { $0.hasSuffix(".blob") }.map { directory + "/" + $0 }
    }

    private func seal(of blob: String) -> String { blob + ".seal" }

    /// Removes files that differ from what was written, before OpenVINO searches for its own.
    func removeDamaged() {
        for blob in blobs {
            guard let digest = digest(of: blob), SealedFile(seal(of: blob), identity: digest) != nil else {
                InferenceLog.write { "compiled model '\(blob)' is damaged: it is compiled again" }
                unlink(blob)
                unlink(seal(of: blob))
                continue
            }
        }
    }

    /// Seals files that OpenVINO has written.
    ///
    /// A file that was cut off by a full disk gets no seal: there is no room for the seal either.
    func sealNew() {
        for blob in blobs where ModelFiles.fileSize(seal(of: blob)) == nil {
            guard let digest = digest(of: blob) else { continue }
            _ = [UInt8(1)].withUnsafeBytes { SealedFile.write($0, identity: digest, to: seal(of: blob)) }
        }
    }

    private func digest(of blob: String) -> String? {
        var status = stat()
        guard lstat(blob, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Ownership.ofUser.accepts(status)
        else { return nil }
        return (try? FileDigests.sha256(of: blob)).map { blob + "-" + $0 }
    }
}
