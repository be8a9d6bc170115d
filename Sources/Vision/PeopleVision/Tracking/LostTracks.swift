package import Imaging

/// The ids of a stream's tracks, and the tracks that ended a short time ago.
///
/// A thing that comes back in the same place gets its id again.
package struct LostTracks {
    /// A track that ended.
    package struct Track {
        package let id: Int
        /// The place where the track ended, in pixels of the upright frame.
        let box: Rectangle
        /// Rotation of the thing, clockwise on a screen, in radians.
        let angle: Double
        /// Seconds since the track ended.
        fileprivate var age = 0.0
    }

    /// The lost tracks, the last one to end last, except for those that `takeTurn` has moved.
    private(set) var tracks: [Track] = []
    private var nextID = Self.firstID

    package init() {}

    /// The first id of a stream, the same as of people with masks.
    private static let firstID = 1

    /// Seconds for which an id is kept.
    private static let retention = 1.0

    /// Forgets the tracks; ids continue, so that no id is used again for another thing.
    package mutating func reset() { tracks.removeAll(keepingCapacity: true) }

    /// Forgets the tracks, and counts ids from 1 again.
    package mutating func restart() {
        reset()
        nextID = Self.firstID
    }

    /// Forgets the tracks that ended too long ago.
    ///
    /// - Parameter seconds: time since the last frame.
    package mutating func age(by seconds: Double) {
        for index in tracks.indices { tracks[index].age += seconds }
        tracks.removeAll { $0.age > Self.retention }
    }

    /// Adds a track that ended.
    package mutating func add(id: Int, box: Rectangle, angle: Double = 0) {
        tracks.append(Track(id: id, box: box, angle: angle))
    }

    /// Returns the id for a track that begins.
    ///
    /// It is the id of the first lost track whose box satisfies `isSame`, which is removed, or else a new id.
    package mutating func id(where isSame: (Rectangle) -> Bool) -> Int {
        if let index = tracks.firstIndex(where: { isSame($0.box) }) { return tracks.remove(at: index).id }
        defer { nextID &+= 1 }
        return nextID
    }

    /// Returns the first track and moves it to the end, so that all tracks are searched for in turns.
    package mutating func takeTurn() -> Track? {
        guard !tracks.isEmpty else { return nil }
        let track = tracks.removeFirst()
        tracks.append(track)
        return track
    }
}
