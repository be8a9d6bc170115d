/// A cache of the models used last, such as one model compiled for several input sizes.
///
/// A hit rotates the entries in place and allocates nothing; in a stream the wanted model is nearly always
/// the first.
package struct ModelCache<Key: Equatable, Model> {
    private let capacity: Int
    /// The models; the one used last comes first.
    private var entries: [(key: Key, model: Model, frame: Int)] = []
    /// Number of frames that have ended.
    private var frame = 0

    /// Creates an empty cache of up to `capacity` models, at least one.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
        entries.reserveCapacity(self.capacity)
    }

    /// The keys of the models; the one used last comes first.
    package var keys: some Sequence<Key> { entries.lazy.map(\.key) }

    /// Whether there is a model for `key`.
    package func contains(_ key: Key) -> Bool { entries.contains { $0.key == key } }

    /// Returns the model for `key`, loaded when it is not in the cache.
    ///
    /// The model used longest ago is removed before the new one is loaded, so that there are never more than
    /// `capacity`.
    package mutating func model(
        _ key: Key, load: () throws(VisionError) -> Model
    ) throws(VisionError) -> Model {
        if let index = entries.firstIndex(where: { $0.key == key }) {
            var entry = entries[index]
            entry.frame = frame
            for place in stride(from: index, to: 0, by: -1) { entries[place] = entries[place - 1] }
            entries[0] = entry
            return entry.model
        }
        if entries.count >= capacity { entries.removeLast() }
        let model = try load()
        entries.insert((key, model, frame), at: 0)
        return model
    }

    /// Ends a frame, and removes the models that none of the last frames has used.
    ///
    /// - Parameter count: the number of these frames; ten seconds at 30 a second unless given. Loading a model again takes
    ///   as long as a run of it.
    package mutating func endFrame(keepingThoseOfLast count: Int = 300) {
        frame &+= 1
        while let last = entries.last, frame &- last.frame > count { entries.removeLast() }
    }
}
