import GStreamerKit

/// Properties of all elements that run models.
protocol InferenceSettings: ElementSettings {
    var device: String? { get set }
    var threads: Int32 { get set }
    var modelPath: String? { get set }
}

extension InferenceSettings {
    /// Where models run and come from.
    ///
    /// - Parameter modelPath: what `model-path` may be.
    static func inferenceProperties(modelPath: String) -> [Property<Self>] {
        [
            .string("device", "OpenVINO's name of the device to run on: CPU, GPU, NPU, AUTO", \.device),
            .int(
                "threads", "Threads for inference, 0 for as many as suit the model", in: 0...256, \.threads),
            .string("model-path", modelPath, \.modelPath),
        ]
    }
}

/// Properties of the elements that follow what they find.
protocol TrackingSettings: InferenceSettings {
    var minimumConfidence: Double { get set }
    var searchInterval: Int32 { get set }
    var postsMessages: Bool { get set }
}

extension TrackingSettings {
    /// How sure, how often and where an element looks, and whether it tells of it.
    ///
    /// - Parameters:
    ///   - element: its name, which is also that of its messages.
    ///   - things: what it finds, as the beginning of a sentence.
    ///   - search: what `search-interval` is.
    static func trackingProperties(of element: String, _ things: String, search: String) -> [Property<Self>] {
        [
            .double(
                "min-confidence", "\(things) below this confidence are left out", in: 0...1,
                \.minimumConfidence, .whilePlaying),
            .int("search-interval", search, in: 0...60000, \.searchInterval, .whilePlaying),
            .bool(
                "post-messages", "Post an element message \"\(element)\" for each frame", \.postsMessages),
        ] + inferenceProperties(modelPath: "A directory to search for models first")
    }

    /// Seconds of the stream from one search to the next; nil for none after the first frame.
    var searchSeconds: Double? { searchInterval > 0 ? Double(searchInterval) / 1000 : nil }
}
