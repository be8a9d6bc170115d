#if RULE_SWITCHES
    import Glibc

    /// Outputs of a model for one input, in a file of the folder that the environment variable `GST_PEOPLE_OUTPUTS` names.
    ///
    /// `Tests/evaluate ablate` analyses the same images once for each rule of the mask; the models then run only for the
    /// first.
    struct OutputCache {
        private let path: String

        /// Finds the place of a run's outputs; nil where the environment names no folder.
        init?(_ model: CompiledModel, _ input: UnsafeMutableBufferPointer<Float>) {
            guard let folder = getenv("GST_PEOPLE_OUTPUTS") else { return nil }
            let key = "\(model.info.path) \(model.inputShape) \(Self.digest(UnsafeRawBufferPointer(input)))"
            let name = Array(key.utf8).withUnsafeBytes(Self.digest)
            path = "\(String(cString: folder))/\(model.info.name)-\(name)"
        }

        private static func digest(_ bytes: UnsafeRawBufferPointer) -> String {
            var hash = SHA256()
            return hash.finish(bytes)
        }

        /// Fills `outputs` with those of an earlier run.
        ///
        /// - Returns: whether there was such a run.
        func read(into outputs: [UnsafeBufferPointer<Float>]) -> Bool {
            guard let file = fopen(path, "rb") else { return false }
            defer { fclose(file) }
            return outputs.allSatisfy {
                fread(UnsafeMutablePointer(mutating: $0.baseAddress), 4, $0.count, file) == $0.count
            }
        }

        /// Keeps the outputs of this run.
        func write(_ outputs: [UnsafeBufferPointer<Float>]) {
            let part = "\(path).\(getpid())"
            guard let file = fopen(part, "wb") else { return }
            let isWhole = outputs.allSatisfy { fwrite($0.baseAddress, 4, $0.count, file) == $0.count }
            if fclose(file) == 0, isWhole { rename(part, path) } else { unlink(part) }
        }
    }
#endif
