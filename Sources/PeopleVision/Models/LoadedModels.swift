/// The models of a request, which stay loaded while the settings that they depend on stay the same.
struct LoadedModels<Models> {
    private var loaded: (setup: ModelSetup, models: Models)?

    /// The models for `setup`; loaded anew when it is another one than the last time.
    mutating func models(
        _ setup: ModelSetup, load: (ModelSetup) throws(VisionError) -> Models
    ) throws(VisionError) -> Models {
        if let loaded, loaded.setup == setup { return loaded.models }
        let models = try load(setup)
        loaded = (setup, models)
        return models
    }

    /// Those that are loaded; nil without any.
    var current: Models? { loaded?.models }

    /// Lets go of them.
    mutating func unload() { loaded = nil }
}
