import Inference

/// A model that a request uses, and how it is loaded.
struct ModelUse {
    let name: String
    let setup: ModelSetup
    /// Nil for that of small models.
    private let parallelism: ComputeOptions.Parallelism?

    init(_ name: String, parallelism: ComputeOptions.Parallelism? = nil, _ setup: ModelSetup) {
        (self.name, self.parallelism, self.setup) = (name, parallelism, setup)
    }

    fileprivate func compile() -> BackgroundCompilation {
        guard let parallelism else { return BackgroundCompilation(name, setup) }
        return BackgroundCompilation(name, parallelism: parallelism, setup)
    }
}

extension [ModelUse] {
    /// Compiles the models side by side, and waits for all of them.
    ///
    /// - Returns: what keeps them compiled until they have been loaded.
    func compileAll() -> [BackgroundCompilation] {
        let compilations = map { $0.compile() }
        for compilation in compilations { compilation.wait() }
        return compilations
    }

    /// Finds the models' files without loading them.
    func checkAll() throws(VisionError) {
        for use in self { _ = try use.setup.find(use.name) }
    }
}
