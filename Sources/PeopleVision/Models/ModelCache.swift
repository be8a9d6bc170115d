/// Keeps the models that were used last, such as one model compiled for several input sizes.
///
/// A hit rotates the entries in place and allocates nothing; in a stream the wanted one is nearly always
/// the first.
package struct ModelCache<Key: Equatable, Model> {
    private let capacity: Int
    /// The one used last comes first.
    private var entries: [(key: Key, model: Model)] = []

    /// An empty cache that holds up to `capacity` models, one at least.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
        entries.reserveCapacity(self.capacity)
    }

    /// What there are models for; the one used last comes first.
    package var keys: some Sequence<Key> { entries.lazy.map(\.key) }

    /// Whether there is a model for `key`.
    package func contains(_ key: Key) -> Bool { entries.contains { $0.key == key } }

    /// The model for `key`, loaded when it is not in the cache; the one used longest ago makes room.
    ///
    /// It goes before the new one is loaded, so that there are never more than `capacity`.
    package mutating func model(
        _ key: Key, load: () throws(VisionError) -> Model
    ) throws(VisionError) -> Model {
        if let index = entries.firstIndex(where: { $0.key == key }) {
            let entry = entries[index]
            for place in stride(from: index, to: 0, by: -1) { entries[place] = entries[place - 1] }
            entries[0] = entry
            return entry.model
        }
        if entries.count >= capacity { entries.removeLast() }
        let model = try load()
        entries.insert((key, model), at: 0)
        return model
    }
}
