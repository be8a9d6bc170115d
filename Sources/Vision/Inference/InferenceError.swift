import Glibc

/// Reasons for which a model could not be found, loaded or run.
///
/// The description says what to do.
public enum InferenceError: Error, Equatable, Sendable {
    /// OpenVINO is not installed in the searched places; `searched` lists them.
    case runtimeNotFound(searched: [String])
    /// A library was found at `path` and cannot be used.
    case runtimeUnusable(path: String, why: String)
    /// No model of that name, or no file at that path; `searched` lists the places.
    case modelNotFound(name: String, searched: [String])
    /// There is no model of the name that the user has given; `known` are the possible names.
    case unknownModel(name: String, known: [String])
    /// A file of the model is damaged: truncated, different from its description, or unreadable.
    case modelCorrupt(path: String, why: String)
    /// The system refuses access to a file of the model.
    case modelUnreadable(path: String, why: String)
    /// The model is sound, but its inputs or outputs are not the expected ones.
    case unsupportedModel(path: String, why: String)
    /// OpenVINO has no such device on this machine.
    case deviceUnavailable(name: String, available: [String])
    /// OpenVINO could not compile the model for the device.
    case compileFailed(path: String, device: String, why: String)
    /// The process may not open enough files, or has too little memory, for loading a model.
    case resourcesExhausted(why: String)
    /// OpenVINO could not run the model, or its memory could not be allocated.
    case inferenceFailed(model: String, why: String)

    /// Returns the error for a file of a model that cannot be read.
    ///
    /// - Parameter failure: the `errno` of the call that failed.
    package static func unreadable(_ path: String, _ failure: Int32) -> InferenceError {
        let why = String(cString: strerror(failure))
        switch failure {
        case EMFILE, ENFILE, ENOMEM:
            // Another thread can have closed its files by the time at which free descriptors are counted.
            let shortage = Headroom.description.shortage ?? "'\(path)' cannot be read: \(why)"
            return .resourcesExhausted(why: shortage)
        default: return .modelUnreadable(path: path, why: why)
        }
    }
}

extension InferenceError: CustomStringConvertible {
    /// A text that says in one or two sentences what failed, where, and what to do about it.
    public var description: String {
        switch self {
        case .runtimeNotFound(let searched):
            "OpenVINO was not found (searched: \(joined(searched))). \(remedy), or "
                + "set GST_PEOPLE_OPENVINO to the directory that contains libopenvino_c.so."
        case .runtimeUnusable(let path, let why):
            "OpenVINO at '\(path)' cannot be used: \(why). Version 2026.4 or newer is needed. "
                + "\(remedy)."
        case .modelNotFound(let name, let searched):
            "Model '\(name)' was not found (searched: \(joined(searched))). \(remedy(of: name)), or "
                + "set GST_PEOPLE_MODELS to the directory of the models."
        case .unknownModel(let name, let known):
            "There is no model '\(name)'. Models that are there: \(joined(known)). The path of a model file, or of a "
                + "directory of models, is accepted as well."
        case .modelCorrupt(let path, let why):
            "Model file '\(path)' is corrupt: \(why). \(remedy)."
        case .modelUnreadable(let path, let why):
            "Model file '\(path)' cannot be read: \(why)."
        case .unsupportedModel(let path, let why):
            "Model '\(path)' does not fit: \(why). Correct its .json, or choose "
                + "another model."
        case .deviceUnavailable(let name, let available):
            "OpenVINO has no device '\(name)' on this machine. Available: \(joined(available))."
        case .compileFailed(let path, let device, let why):
            "Model '\(path)' could not be compiled for device '\(device)': \(why). Try device CPU."
        case .resourcesExhausted(let why):
            "Models cannot be loaded: \(why)."
        case .inferenceFailed(let model, let why):
            "Running model '\(model)' failed: \(why)."
        }
    }

    /// Returns the way to get a model back; models under a stricter licence are prepared only on request.
    private func remedy(of model: String) -> String {
        model == ModelStore.optional ? "Run `pipelines/setup --with-rvm` in a checkout" : remedy
    }

    /// The way to get OpenVINO and the models back.
    private var remedy: String {
        SearchPaths.current.isCheckout
            ? "Run `pipelines/setup`" : "Install gst-people again, with its models and OpenVINO"
    }

    private func joined(_ items: [String]) -> String {
        items.isEmpty ? "nothing" : items.joined(separator: ", ")
    }
}
