import CDynamicLinker

/// The memory of the process that nothing uses.
enum FreeMemory {
    /// Gives it back to the system.
    ///
    /// Compiling a model takes and frees much more than the model needs. Glibc keeps what lies between used blocks for each
    /// thread by itself, where later compilations on other threads do not find it.
    static func release() { _ = malloc_trim(0) }
}
