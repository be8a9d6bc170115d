/// A model that a request uses, and how it is loaded.
struct ModelUse {
    let name: String
    let setup: ModelSetup

    init(_ name: String, _ setup: ModelSetup) { (self.name, self.setup) = (name, setup) }

    fileprivate func compile() -> BackgroundCompilation { BackgroundCompilation(name, setup) }
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
