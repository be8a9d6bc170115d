extension ModelStore {
    /// Makes sure that the directories which the user has asked for hold models at all: a name that is mistyped must
    /// not be passed over in silence.
    ///
    /// - Parameters:
    ///   - directory: what the user has asked for, besides the environment variable `GST_PEOPLE_MODELS`.
    ///   - name: the model that is looked for.
    /// - Throws: ``InferenceError/modelNotFound(name:searched:)``.
    public static func checkAsked(_ directory: String?, for name: String) throws(InferenceError) {
        for asked in [directory, SearchPaths.current.askedModelDirectory].compactMap({ $0 })
        where !FileSystem.names(in: asked).contains(where: { $0.hasSuffix(".json") }) {
            throw .modelNotFound(name: name, searched: [asked])
        }
    }
}
