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
            var hash = Hash()
            for byte in model.info.path.utf8 { hash.add(UInt64(byte)) }
            for side in model.inputShape { hash.add(UInt64(side)) }
            for value in input { hash.add(UInt64(value.bitPattern)) }
            path = "\(String(cString: folder))/\(model.info.name)-\(hash.text)"
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

    /// Two sums of 64 bits over words, in which each word changes both.
    private struct Hash {
        // Odd numbers with bits everywhere, from the golden ratio and SHA-512's constants.
        private var (one, other): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0x428A_2F98_D728_AE23)

        mutating func add(_ word: UInt64) {
            one = (one ^ word) &* 0x7137_4491_23EF_65CD
            one ^= one >> 29
            other = (other &+ word) &* 0xB5C0_FBCF_EC4D_3B2F
            other ^= other >> 31
        }

        var text: String { String(one, radix: 16) + String(other, radix: 16) }
    }
#endif
