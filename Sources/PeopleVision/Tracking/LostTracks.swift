package import Imaging

/// The ids of a stream's tracks, and the tracks that ended a short time ago: what comes back in the same place gets its
/// id again.
package struct LostTracks {
    /// A track that ended.
    package struct Track {
        package let id: Int
        /// Where it ended, in pixels of the upright frame.
        let box: Rectangle
        /// How far what was followed was rotated, clockwise on a screen, in radians.
        let angle: Double
        /// Seconds since it ended.
        fileprivate var age = 0.0
    }

    /// The track that ended last comes last, except for those that `takeTurn` has moved.
    private(set) var tracks: [Track] = []
    private var nextID = 0

    package init() {}

    /// Seconds for which an id is kept.
    private static let retention = 1.0

    /// Forgets the tracks; ids go on, so that none is used again for something else.
    package mutating func reset() { tracks.removeAll(keepingCapacity: true) }

    /// Forgets the tracks, and counts ids from 0 again.
    package mutating func restart() {
        reset()
        nextID = 0
    }

    /// Forgets the tracks that ended too long ago.
    ///
    /// - Parameter seconds: since the last frame.
    package mutating func age(by seconds: Double) {
        for index in tracks.indices { tracks[index].age += seconds }
        tracks.removeAll { $0.age > Self.retention }
    }

    /// Adds a track that ended.
    package mutating func add(id: Int, box: Rectangle, angle: Double = 0) {
        tracks.append(Track(id: id, box: box, angle: angle))
    }

    /// The id for a track that begins: that of the first lost track for whose box `isSame` holds, which is removed; else a
    /// new one.
    package mutating func id(where isSame: (Rectangle) -> Bool) -> Int {
        if let index = tracks.firstIndex(where: { isSame($0.box) }) { return tracks.remove(at: index).id }
        defer { nextID &+= 1 }
        return nextID
    }

    /// The first track, which becomes the last, so that all are searched for in turns.
    package mutating func takeTurn() -> Track? {
        guard !tracks.isEmpty else { return nil }
        let track = tracks.removeFirst()
        tracks.append(track)
        return track
    }
}
