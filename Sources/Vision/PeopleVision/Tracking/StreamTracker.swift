package import Imaging

/// A tracker that finds the things of single images, and follows those of a stream.
protocol StreamTracker: AnyObject {
    associatedtype Configuration: TrackingConfiguration
    associatedtype Models: TrackingModels<Configuration>
    associatedtype Track: StreamTrack
    associatedtype Observation
    typealias Context = TrackingContext<Configuration>

    /// The tracks of the last frame's things.
    var tracks: [Track] { get set }
    /// The ids, and the tracks that ended a short time ago.
    var lost: LostTracks { get set }
    /// Whether the next frame is the first of a stream.
    var isFirst: Bool { get set }

    init()

    /// Creates tracks of all things of a frame, which takes long.
    func findAll(_ frame: UprightFrame, _ models: Models, _ context: Context) throws(VisionError)
    /// Finds the things of the last frame in the next one, and ends the tracks of those that are gone.
    func followTracks(_ frame: UprightFrame, _ models: Models, _ context: Context) throws(VisionError)
    /// Searches for new things, as far as one frame allows.
    func searchOn(_ frame: UprightFrame, _ models: Models, _ context: Context) throws(VisionError)
    /// Makes the next search due at once.
    func makeSearchDue()
    /// Forgets what the search has found so far.
    func resetSearch()
    /// Returns the observation of track `index`.
    func observation(_ index: Int, in frame: UprightFrame, _ models: Models, _ context: Context)
        throws(VisionError) -> Observation
}

/// One thing, followed from frame to frame.
protocol StreamTrack {
    var id: Int { get }
    /// The confidence that the thing is there, 0...1.
    var confidence: Double { get }
    /// The thing's box in the last frame, in pixels of the upright frame.
    var box: Rectangle { get }
    /// Rotation of the thing, clockwise on a screen, in radians.
    var angle: Double { get }
    /// Rank of the track; where there are too many tracks, the least prominent ones end.
    var prominence: Double { get }
}

/// The models of a family of requests, loaded.
protocol TrackingModels<Configuration>: AnyObject {
    associatedtype Configuration

    /// Loads the models.
    ///
    /// - Parameter setup: a model file in it replaces the landmark model; the others stay.
    init(_ setup: ModelSetup) throws(VisionError)
    /// Returns the models that every configuration needs; the one that takes longest to compile comes first.
    static func uses(_ setup: ModelSetup) -> [ModelUse]
    /// Loads the models that only some configurations need.
    func prepare(_ configuration: Configuration) throws(VisionError)
}

extension TrackingModels {
    func prepare(_ configuration: Configuration) throws(VisionError) {}
}

extension StreamTracker {
    /// Forgets all things; ids go on, so that none is used again for something else.
    func reset() {
        tracks.removeAll()
        lost.reset()
        resetSearch()
        isFirst = true
    }

    /// Finds the things of a single image.
    func find(in frame: UprightFrame, _ models: Models, _ context: Context) throws(VisionError) {
        reset()
        lost.restart()
        try findAll(frame, models, context)
    }

    /// Finds the things of the next frame of a stream; the first frame is searched like a single image.
    func follow(in frame: UprightFrame, _ models: Models, _ context: Context) throws(VisionError) {
        if isFirst {
            // A still image may have left its tracks.
            reset()
            isFirst = false
            if context.searchesFirstFrameFully { return try findAll(frame, models, context) }
            makeSearchDue()
        }
        lost.age(by: context.seconds)
        dropSurplus(context.limits.maximumCount)
        try followTracks(frame, models, context)
        try searchOn(frame, models, context)
    }

    /// Ends a track; its id is kept for a while.
    func lose(_ index: Int) {
        let track = tracks.remove(at: index)
        lost.add(id: track.id, box: track.box, angle: track.angle)
    }

    /// Ends the least prominent tracks where the limit has been lowered.
    private func dropSurplus(_ maximumCount: Int) {
        while tracks.count > maximumCount,
            let surplus = tracks.indices.min(by: { tracks[$0].prominence < tracks[$1].prominence })
        {
            lose(surplus)
        }
    }
}

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
