/// The number of times that a request has run its model, as the log has it when the request is released.
package struct RunCount: CustomStringConvertible {
    /// A model in one size.
    package struct Model: Hashable {
        /// The model's file.
        package let path: String
        /// The dimensions of the input, in the order of its layout.
        package let inputShape: [Int]
        /// The distribution of the processor's cores.
        package let parallelism: ComputeOptions.Parallelism
    }

    /// The model that was run.
    package let model: Model
    /// Number of runs.
    package let count: Int

    init(count: Int, _ model: CompiledModel) {
        self.count = count
        self.model = Model(
            path: model.info.path, inputShape: model.inputShape, parallelism: model.options.parallelism)
    }

    /// Reads a count from a line of the log; nil for other lines.
    package init?(_ line: some StringProtocol) {
        guard let start = line.firstRange(of: Self.beginning) else { return nil }
        let words = line[start.upperBound...].split(separator: " ", maxSplits: 3)
        guard words.count == 4, let count = Int(words[0]),
            let parallelism = ComputeOptions.Parallelism(rawValue: String(words[2]))
        else { return nil }
        self.count = count
        model = Model(
            path: String(words[3]), inputShape: words[1].split(separator: "x").compactMap { Int($0) },
            parallelism: parallelism)
    }

    private static let beginning = "runs: "

    /// The line of the log.
    package var description: String {
        let shape = model.inputShape.map(String.init).joined(separator: "x")
        return "\(Self.beginning)\(count) \(shape) \(model.parallelism.rawValue) \(model.path)"
    }
}
